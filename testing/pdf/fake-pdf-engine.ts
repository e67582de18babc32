import type { PdfEngine, PrintedDocument, PrintJob } from '../../src/pdf/pdf-engine.ts';
import { PdfService } from '../../src/pdf/pdf-service.ts';
import type { EngineState } from '../../src/supervision/lifecycle.ts';
import { textService } from '../text/text-service.ts';

/** A PDF engine that prints nothing: it records its jobs, and answers when a test lets it. */
export class FakePdfEngine implements PdfEngine {
  readonly jobs: PrintJob[] = [];
  readonly signals: AbortSignal[] = [];
  state: EngineState = 'ready';
  /** Awaited by the next documents. */
  hold: Promise<void> | undefined;
  /** Thrown for the next documents. */
  failure: unknown;

  readonly lifecycle = {
    owner: this as FakePdfEngine,
    get state(): EngineState {
      return this.owner.state;
    },
    async ready(): Promise<void> {},
  };

  /** How its browser would have been started. */
  rung = { name: 'sandbox', isSandboxed: true };

  /** Number of calls to `close`. */
  closings = 0;

  async close(): Promise<void> {
    this.closings += 1;
  }

  async print(job: PrintJob, signal: AbortSignal): Promise<PrintedDocument> {
    this.jobs.push(job);
    this.signals.push(signal);
    await this.hold;
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    return { bytes: Buffer.from('%PDF-1.4 fake'), pages: 3, blockedReferences: 2 };
  }
}

/** A PDF service without a browser and model. */
export function fakePdfService(): PdfService {
  return new PdfService({ engine: new FakePdfEngine(), text: textService([]), maxInFlight: 4, cores: 4 });
}
