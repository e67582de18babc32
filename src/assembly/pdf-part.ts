import type { Config } from '../config/config.ts';
import { ChromiumEngine } from '../pdf/engines/chromium/chromium-engine.ts';
import { PdfService } from '../pdf/pdf-service.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TextService } from '../text/text-service.ts';
import type { GatewayPart, NamedState } from './gateway-part.ts';

export interface PdfPartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly text: TextService;
}

const MS_PER_SECOND = 1_000;
const BYTES_PER_MB = 1_000_000;

/** HTML to PDF: the browser and the service in front of it. */
export class PdfPart implements GatewayPart {
  readonly service: PdfService;
  readonly #kind: string;
  readonly #engine: ChromiumEngine;

  constructor({ config, log, metrics, text }: PdfPartOptions) {
    const { kind, executable, timeoutSeconds, memoryMb, maxInFlight } = config.engines.pdf;
    this.#kind = kind;
    this.#engine = new ChromiumEngine({
      dataDir: config.dataDir,
      executable,
      timeoutMs: timeoutSeconds * MS_PER_SECOND,
      memoryBytes: memoryMb * BYTES_PER_MB,
      log,
      observer: metrics.pdf,
    });
    this.service = new PdfService({ engine: this.#engine, text, maxInFlight });
  }

  states(): readonly NamedState[] {
    return [[`pdf:${this.#kind}`, this.#engine.lifecycle.state]];
  }

  stop(): Promise<void> {
    return this.#engine.close();
  }
}
