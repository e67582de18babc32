import type { Duplex } from 'node:stream';
import { Fault } from '../faults/fault.ts';

/** Counts what is being served and, once closed, turns newcomers away while the rest may finish. */
export class DrainGate {
  #serving = 0;
  #isDraining = false;
  #isClosed = false;
  readonly #whenEmpty = new Set<() => void>();
  /** Connections with a request that came before the gate was closed, and has yet to pass it. */
  readonly #expected = new WeakSet<Duplex>();

  /** Why the gateway is not ready, once it is about to stop. */
  fault(): Fault | undefined {
    return this.#isDraining ? new Fault('draining', 'The gateway is shutting down.') : undefined;
  }

  /** Throws once the gate is closed, but for a request that was expected. */
  check(connection: Duplex): void {
    if (!this.#isClosed || this.#expected.delete(connection)) return;
    throw new Fault('draining', 'The gateway is shutting down.');
  }

  /** Whether the gateway is about to stop: a client that kept its connection would send a later request to a process that ends. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether newcomers are turned away. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How many requests are counted. */
  get serving(): number {
    return this.#serving;
  }

  /** Counts a request in. */
  enter(): void {
    this.#serving++;
  }

  /** Counts a request out. */
  leave(): void {
    this.#serving--;
    if (this.#serving === 0) for (const resolve of this.#whenEmpty) resolve();
  }

  /** Lets the next request of a connection pass, closed or not: its head came in time. It must come before anything else happens. */
  expect(connection: Duplex): void {
    if (this.#isClosed) this.#expected.add(connection);
  }

  /** Tells that the gateway is about to stop; everybody is still let in. */
  announce(): void {
    this.#isDraining = true;
  }

  /** Closes the gate; resolves when nothing is being served any more, or the signal says that enough was waited. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    this.#isClosed = true;
    if (this.#serving === 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
