import type { ModelFetch } from '../catalogue/model-fetch.ts';
import type { Config } from '../config/config.ts';
import type { DocumentReader, PageShower } from '../reading/document-reader.ts';
import { EmbeddedDocumentReader } from '../reading/embedded/embedded-document-reader.ts';
import { CountedFieldFinder } from '../reading/fields/counted-field-finder.ts';
import { EmbeddedFieldFinder } from '../reading/fields/embedded-field-finder.ts';
import type { FieldFinder } from '../reading/fields/field-finder.ts';
import { FetchedOcr } from '../reading/ocr/fetched-ocr.ts';
import { defaultPdfWorkers, PdfWorkers } from '../reading/pdf/pdf-workers.ts';
import type { HasOthers } from '../supervision/fair-queue.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { GatewayModule, NamedState } from './gateway-module.ts';

/** Turns PDFs and images into text, and finds fields there: PDF workers, OCR and the document reader's network. */
export class ReadingModule implements GatewayModule {
  readonly reader: DocumentReader & PageShower;
  readonly finder: FieldFinder;
  readonly #finder = new EmbeddedFieldFinder();
  readonly #kind: string;
  readonly #ocr: FetchedOcr;
  readonly #pdfWorkers = new PdfWorkers(defaultPdfWorkers);

  constructor({
    config: { engines },
    models,
    metrics,
    hasOthers,
  }: {
    readonly config: Config;
    readonly models: ModelFetch;
    readonly metrics: Pick<Metrics, 'fieldFinder'>;
    readonly hasOthers: HasOthers;
  }) {
    this.finder = new CountedFieldFinder(this.#finder, (outcome) => metrics.fieldFinder.asked(outcome));
    this.#kind = engines.ocr.kind;
    this.#ocr = new FetchedOcr({ models, hasOthers, ...engines.ocr });
    this.reader = new EmbeddedDocumentReader({ pdf: this.#pdfWorkers, ocr: this.#ocr });
  }

  states(): readonly NamedState[] {
    return [
      [`ocr:${this.#kind}`, this.#ocr.lifecycle.state],
      ['fields:embedded', this.#finder.lifecycle.state],
    ];
  }

  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#ocr.stop(signal), this.#pdfWorkers.stop(signal), this.#finder.stop(signal)]);
  }
}
