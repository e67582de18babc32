import { setTimeout } from 'node:timers/promises';

/**
 * SIGTERM and SIGINT: the first requests an orderly stop, the second a quick one. SIGTERM comes from supervisors, whose load
 * balancers need a moment to notice; a person who sends SIGINT waits for the exit.
 */
export class StopSignals implements Disposable {
  readonly #stop = new AbortController();
  readonly #hurry = new AbortController();
  #hasTime = false;
  #delay: AbortController | undefined;
  readonly #onTerminate = (): void => {
    if (!this.#stop.signal.aborted) this.#hasTime = true;
    this.#onSignal();
  };
  readonly #onSignal = (): void => {
    if (!this.#stop.signal.aborted) this.#stop.abort();
    else (this.#delay ?? this.#hurry).abort();
  };

  constructor() {
    process.on('SIGTERM', this.#onTerminate).on('SIGINT', this.#onSignal);
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  /** Resolves at the first signal. */
  get stopRequested(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) =>
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }

  /** Whether the stop may be delayed: it was a SIGTERM, and no second signal came. */
  get mayDelay(): boolean {
    return this.#hasTime && !this.#hurry.signal.aborted;
  }

  /** Waits, or until a signal arrives, which is then consumed. */
  async delay(delayMs: number): Promise<void> {
    this.#delay = new AbortController();
    await setTimeout(delayMs, undefined, { signal: this.#delay.signal }).catch(() => undefined);
    this.#delay = undefined;
  }

  [Symbol.dispose](): void {
    process.off('SIGTERM', this.#onTerminate).off('SIGINT', this.#onSignal);
  }
}
