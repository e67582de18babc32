import { setTimeout } from 'node:timers/promises';

/**
 * SIGTERM and SIGINT while the gateway runs: the first asks for an orderly stop, the second for a quick one. SIGTERM comes from
 * supervisors, whose load balancers take a moment to notice; a person who sends SIGINT waits for the end.
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

  /** Whether the stop that was asked for may be delayed: by SIGTERM, and nobody hurried since. */
  get mayDelay(): boolean {
    return this.#hasTime && !this.#hurry.signal.aborted;
  }

  /** Waits so long, or until a signal comes; that one is spent with it. */
  async delay(delayMs: number): Promise<void> {
    this.#delay = new AbortController();
    await setTimeout(delayMs, undefined, { signal: this.#delay.signal }).catch(() => undefined);
    this.#delay = undefined;
  }

  [Symbol.dispose](): void {
    process.off('SIGTERM', this.#onTerminate).off('SIGINT', this.#onSignal);
  }
}
