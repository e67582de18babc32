import { compiledEntry } from '../../lib/compiled-entry.ts';
import { isRecord } from '../../lib/json-record.ts';
import { ChildFailure, ChildLost } from '../../supervision/child-lost.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import { SupervisedPool } from '../../supervision/supervised-pool.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { ShownPage } from '../document-reader.ts';
import { isRaster, type Raster } from '../ocr-engine.ts';
import { isPageText } from '../page-text.ts';
import type { PdfPage } from './pdf-document.ts';
import type { PdfRequest, PdfWorkerSettings } from './pdf-request.ts';
import { pdfProblem, UnreadablePdf } from './unreadable-pdf.ts';

type PagePicture = Omit<ShownPage, 'page'>;

/** Deadlines and number of workers. */
export interface PdfWorkersOptions {
  readonly workers: number;
  /** Per step: opening a file, reading a page, drawing a page. */
  readonly stepMs: number;
  /** For all pages of a file, without waiting for OCR. */
  readonly documentMs: number;
  readonly maxMemoryBytes: number;
}

/** A page of text takes about 30 ms; only a hostile file takes 20 s. */
export const defaultPdfWorkers: PdfWorkersOptions = {
  workers: 3,
  stepMs: 20_000,
  documentMs: 90_000,
  maxMemoryBytes: 512 * 2 ** 20,
};

/** Waiting requests, per stack and in total. */
const MAX_WAITING_PER_STACK = 256;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const RECYCLE_AFTER_REQUESTS = 500;
const IDLE_MS = 60_000;
/** Pages buffered for their reader. */
const STREAM_WINDOW = 4;

/** PDFium in threads that can be killed: a file that crashes or stalls it is refused alone. */
export class PdfWorkers {
  readonly #pool: SupervisedPool;
  readonly #stepMs: number;

  constructor(options: PdfWorkersOptions) {
    this.#stepMs = options.stepMs;
    const members = Array.from({ length: options.workers }, () => supervisedWorker(options));
    this.#pool = new SupervisedPool({
      name: 'pdf reader',
      members,
      // Starting one takes ten times as long as reading a page. A stack alone may take all but one at the same moment.
      spares: options.workers - 1,
      // One worker stays free for other stacks.
      runningPerStack: 1,
      runningAlone: Math.max(1, options.workers - 1),
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
    });
  }

  /** Opens the file to count its pages. */
  async inspect(bytes: Uint8Array, work: StackWork): Promise<{ readonly pages: number }> {
    const facts = await this.#ask({ operation: 'inspect', bytes }, work);
    if (!hasPages(facts)) throw new TypeError('the PDF worker gave no page count');
    if (facts.pages < 1) throw new UnreadablePdf('empty');
    return facts;
  }

  async *read(bytes: Uint8Array, work: StackWork): AsyncGenerator<PdfPage, void> {
    const request: PdfRequest = { operation: 'read', bytes };
    try {
      for await (const pages of this.#pool.stream(request, { ...work, deadlineMs: this.#stepMs })) {
        if (!pages.every(isPdfPage)) throw new TypeError('the PDF worker gave no pages');
        yield* pages;
      }
    } catch (error) {
      throw blamed(error);
    }
  }

  /** Renders a page; undefined if it cannot be opened. */
  async draw(bytes: Uint8Array, page: number, work: StackWork): Promise<Raster | undefined> {
    const raster = await this.#ask({ operation: 'draw', bytes, page }, work);
    if (raster === undefined || isRaster(raster)) return raster;
    throw new TypeError('the PDF worker drew nothing');
  }

  /** A page as a PNG for people; undefined if it cannot be opened. */
  async show(bytes: Uint8Array, page: number, work: StackWork): Promise<PagePicture | undefined> {
    const shown = await this.#ask({ operation: 'show', bytes, page }, work);
    if (shown === undefined || isShown(shown)) return shown;
    throw new TypeError('the PDF worker showed nothing');
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.#pool.stop(signal);
  }

  async #ask(request: PdfRequest, work: StackWork): Promise<unknown> {
    try {
      return await this.#pool.ask(request, { ...work, deadlineMs: this.#stepMs });
    } catch (error) {
      throw blamed(error);
    }
  }
}

function supervisedWorker(options: PdfWorkersOptions): Supervised {
  const data: PdfWorkerSettings = {
    maxMemoryBytes: options.maxMemoryBytes,
    maxDocumentMs: options.documentMs,
  };
  return new Supervised({
    name: 'pdf reader',
    launch: workerChild({ entry: compiledEntry(import.meta.url, 'pdf-worker.js'), env: {}, data }),
    priority: 'heavy',
    patience: { startTimeoutMs: 30_000, cancelGraceMs: 200, stopGraceMs: 2_000 },
    concurrency: 1,
    maxWaiting: 1,
    streamWindow: STREAM_WINDOW,
    idleMs: IDLE_MS,
    recycle: { afterRequests: RECYCLE_AFTER_REQUESTS, freshStarts: 'after' },
  });
}

/** If the worker crashed or was killed, the file is to blame. */
function blamed(error: unknown): unknown {
  if (error instanceof ChildFailure) {
    const problem = pdfProblem(error.code);
    return problem ? new UnreadablePdf(problem, error) : error;
  }
  if (!(error instanceof ChildLost)) return error;
  const wasEnded = error.started && ['crashed', 'misbehaved'].includes(error.reason);
  const isFilesFault = wasEnded || error.reason === 'deadline';
  return isFilesFault ? new UnreadablePdf('costly', error) : error;
}

function hasPages(facts: unknown): facts is { readonly pages: number } {
  return typeof facts === 'object' && facts !== null && 'pages' in facts && typeof facts.pages === 'number';
}

function isShown(shown: unknown): shown is PagePicture {
  return isRecord(shown) && shown.png instanceof Uint8Array && typeof shown.width === 'number';
}

function isPdfPage(page: unknown): page is PdfPage {
  return isPageText(page) && 'needsOcr' in page && typeof page.needsOcr === 'boolean';
}
