import { Counter, type Registry } from 'prom-client';

/** How asking the field finder for a page ended. */
export type FinderOutcome = 'read' | 'stopped' | 'failed';

const OUTCOMES: readonly FinderOutcome[] = ['read', 'stopped', 'failed'];

/** Metrics of the field finder, without tenant labels. */
export class FieldFinderMetrics {
  readonly #pages;

  constructor(registry: Registry) {
    this.#pages = new Counter({
      name: 'stackgate_field_finder_pages_total',
      help: 'Pages given to the field finder: read, stopped because the time was needed or the client left, or failed; rules alone find the values of the others.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of OUTCOMES) this.#pages.inc({ outcome }, 0);
  }

  asked(outcome: FinderOutcome): void {
    this.#pages.inc({ outcome });
  }
}
