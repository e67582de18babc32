import { Counter, type Registry } from 'prom-client';

/** Metrics of usage, without tenant labels. */
export class UsageMetrics {
  readonly #failures;
  // Summed here and passed to the library at each scrape: see route-tally.ts.
  #promptTokens = 0;
  #completionTokens = 0;

  constructor(registry: Registry) {
    const tokens = new Counter({
      name: 'stackgate_tokens_total',
      help: 'Tokens that requests used, by kind.',
      labelNames: ['kind'],
      registers: [registry],
      collect: () => {
        tokens.reset();
        tokens.inc({ kind: 'prompt' }, this.#promptTokens);
        tokens.inc({ kind: 'completion' }, this.#completionTokens);
      },
    });
    this.#failures = new Counter({
      name: 'stackgate_usage_batch_failures_total',
      help: 'Tries to write a batch of usage that failed; the batch is kept and tried again.',
      registers: [registry],
    });
  }

  tokensUsed(promptTokens: number, completionTokens: number): void {
    this.#promptTokens += promptTokens;
    this.#completionTokens += completionTokens;
  }

  batchFailed(): void {
    this.#failures.inc();
  }
}
