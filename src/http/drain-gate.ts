import type { Duplex } from 'node:stream';
import { Fault } from '../faults/fault.ts';

/** Counts the requests in flight. Once closed, it refuses new ones and lets the others finish. */
export class DrainGate {
  #serving = 0;
  #isDraining = false;
  #isClosed = false;
  readonly #whenEmpty = new Set<() => void>();
  readonly #closing = new AbortController();
  /** Connections with a request that arrived before the gate closed and has not passed it yet. */
  readonly #expected = new WeakSet<Duplex>();

  /** The reason for `/readyz` to say no, once the gateway is about to stop. */
  fault(): Fault | undefined {
    return this.#isDraining ? new Fault('draining', 'The gateway is shutting down.') : undefined;
  }

  /** Throws if the gate is closed, except for an expected request. */
  check(connection: Duplex): void {
    if (!this.#isClosed || this.#expected.delete(connection)) return;
    throw new Fault('draining', 'The gateway is shutting down.');
  }

  /** Whether the gateway is about to stop. Answers then close their connection, so that the client does not send its next request to a process that ends. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether new requests are refused. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Aborts when the gate closes, for streams that would never end by themselves. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The number of requests in flight. */
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
    // A connection that waits for a request counts that out before the request itself counts in: only the end of the turn tells.
    if (this.#serving === 0) for (const check of this.#whenEmpty) setImmediate(check);
  }

  /** Lets the next request of a connection pass although the gate is closed: its head arrived in time. Call it right before that request. */
  expect(connection: Duplex): void {
    if (this.#isClosed) this.#expected.add(connection);
  }

  /** Announces that the gateway is about to stop. Requests still pass. */
  announce(): void {
    this.#isDraining = true;
  }

  /** Closes the gate; resolves when no request is in flight, or when the signal aborts. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    this.#isClosed = true;
    this.#closing.abort();
    if (this.#serving === 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty.add(() => {
        if (this.#serving === 0) resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
