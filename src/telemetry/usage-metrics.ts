import { Counter, type Registry } from 'prom-client';

/** The numbers of what is used, without who used it. */
export class UsageMetrics {
  readonly #promptTokens;
  readonly #completionTokens;
  readonly #failures;

  constructor(registry: Registry) {
    const tokens = new Counter({
      name: 'stackgate_tokens_total',
      help: 'Tokens that requests used, by kind.',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.#promptTokens = tokens.labels({ kind: 'prompt' });
    this.#completionTokens = tokens.labels({ kind: 'completion' });
    this.#failures = new Counter({
      name: 'stackgate_usage_batch_failures_total',
      help: 'Tries to write a batch of usage that failed; the batch is kept and tried again.',
      registers: [registry],
    });
  }

  tokensUsed(promptTokens: number, completionTokens: number): void {
    this.#promptTokens.inc(promptTokens);
    this.#completionTokens.inc(completionTokens);
  }

  batchFailed(): void {
    this.#failures.inc();
  }
}
