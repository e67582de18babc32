import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import type { ChromiumEngine } from '../pdf/engines/chromium/chromium-engine.ts';
import { PdfService } from '../pdf/pdf-service.ts';
import type { HasOthers } from '../supervision/fair-queue.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TextService } from '../text/text-service.ts';
import type { GatewayModule, NamedState } from './gateway-module.ts';
import { openPdfEngine } from './open-pdf-engine.ts';

export interface PdfPartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly text: TextService;
  readonly hasOthers: HasOthers;
}

/** HTML to PDF: the browser and its service. */
export class PdfModule implements GatewayModule {
  readonly service: PdfService;
  readonly #kind: string;
  readonly #engine: ChromiumEngine;

  constructor({ config, log, metrics, text, hasOthers }: PdfPartOptions) {
    const { kind, maxInFlight } = config.engines.pdf;
    this.#kind = kind;
    this.#engine = openPdfEngine(config, { log, observer: metrics.pdf });
    const cores = availableParallelism();
    this.service = new PdfService({ engine: this.#engine, text, maxInFlight, cores, hasOthers });
  }

  states(): readonly NamedState[] {
    return [[`pdf:${this.#kind}`, this.#engine.lifecycle.state]];
  }

  stop(): Promise<void> {
    return this.#engine.close();
  }
}
