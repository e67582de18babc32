import { Gauge, type Registry } from 'prom-client';

/** Metrics of ceilings, without tenant labels. */
export class LimitMetrics {
  readonly #drift;

  constructor(registry: Registry) {
    this.#drift = new Gauge({
      name: 'stackgate_token_budget_drift_tokens',
      help: 'Tokens by which budgets and the usage ledger differ, over all stacks, today and yesterday. Both are written seconds late; what stays is drift.',
      registers: [registry],
    });
  }

  driftMeasured(tokens: number): void {
    this.#drift.set(tokens);
  }
}
