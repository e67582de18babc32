const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** SIGTERM and SIGINT while the gateway runs: the first asks for an orderly stop, the second for a quick one. */
export class StopSignals implements Disposable {
  readonly #stop = new AbortController();
  readonly #hurry = new AbortController();
  readonly #onSignal = () => (this.#stop.signal.aborted ? this.#hurry : this.#stop).abort();

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
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

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }
}
