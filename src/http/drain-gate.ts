import { Fault } from '../faults/fault.ts';

/** Counts what is being served and, once closed, turns newcomers away while the rest may finish. */
export class DrainGate {
  #serving = 0;
  #draining = false;
  readonly #whenEmpty = new Set<() => void>();

  /** The fault for newcomers while the gateway is shutting down. */
  fault(): Fault | undefined {
    return this.#draining ? new Fault('draining', 'The gateway is shutting down.') : undefined;
  }

  /** Throws when the gateway is shutting down. */
  check(): void {
    const fault = this.fault();
    if (fault !== undefined) throw fault;
  }

  /** Whether the gateway is shutting down: a client that kept its connection would send its next request to a process that ends. */
  get isDraining(): boolean {
    return this.#draining;
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

  /** Closes the gate; resolves when nothing is being served any more, or the signal says that enough was waited. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#draining = true;
    if (this.#serving === 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
