import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const STEP_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const PAGE_BUCKETS = [1, 2, 5, 10, 20, 50, 75, 100, 200, 500];

/** Metrics of PDF generation. */
export class PdfMetrics {
  readonly #documents;
  readonly #steps;
  readonly #pages;
  readonly #sandbox;
  readonly #ends;
  readonly #kills;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#documents = new Counter({
      name: 'stackgate_pdf_documents_total',
      help: 'Documents printed or not, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#steps = new Histogram({
      name: 'stackgate_pdf_step_duration_seconds',
      help: 'Time that printed documents spent in layout and in print.',
      labelNames: ['step'],
      buckets: STEP_BUCKETS_SECONDS,
      registers,
    });
    this.#pages = new Histogram({
      name: 'stackgate_pdf_pages',
      help: 'Pages of printed documents.',
      buckets: PAGE_BUCKETS,
      registers,
    });
    this.#sandbox = new Gauge({
      name: 'stackgate_pdf_sandbox',
      help: 'What protects the system from the browser that was started last: 1 for its rung.',
      labelNames: ['rung'],
      registers,
    });
    this.#ends = new Counter({
      name: 'stackgate_pdf_browser_ends_total',
      help: 'Browsers that ended, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#kills = new Counter({
      name: 'stackgate_pdf_pages_killed_total',
      help: 'Pages ended because the browser used too much memory.',
      registers,
    });
  }

  documentEnded(outcome: string): void {
    this.#documents.inc({ outcome });
  }

  stepTook(step: string, seconds: number): void {
    this.#steps.observe({ step }, seconds);
  }

  pagesPrinted(pages: number): void {
    this.#pages.observe(pages);
  }

  browserStarted(rung: string): void {
    this.#sandbox.reset();
    this.#sandbox.set({ rung }, 1);
  }

  browserEnded(reason: string): void {
    this.#ends.inc({ reason });
  }

  pageKilled(): void {
    this.#kills.inc();
  }
}
