import { availableParallelism } from 'node:os';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import { ChildFailure, ChildLost } from '../../supervision/child-lost.ts';
import { type HasOthers, leavingACore } from '../../supervision/fair-queue.ts';
import { forkedChild } from '../../supervision/forked-child.ts';
import type { Lifecycle } from '../../supervision/lifecycle.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { SupervisedPool } from '../../supervision/supervised-pool.ts';
import { type OcrEngine, type OcrPicture, UnreadablePicture } from '../ocr-engine.ts';
import { isPageText, type PageText } from '../page-text.ts';
import type { OcrModelFiles } from './ocr-models.ts';

export interface EmbeddedOcrOptions {
  readonly files: OcrModelFiles;
  /** Child processes; one page each at a time. */
  readonly threads: number;
  readonly hasOthers?: HasOthers;
  readonly pageMs?: number;
  /** A process is replaced after this many pages, or if it holds more than this many bytes. */
  readonly recycleAfterPages?: number;
  readonly recycleOverBytes?: number;
  readonly observe?: (event: ChildEvent) => void;
}

/** A letter takes two or three seconds of one core, a page of dense prose ten; on a busy machine OCR may get a tenth of a core. */
const PAGE_MS = 180_000;
/** Waiting pages, per stack and in total. */
const MAX_WAITING_PER_STACK = 512;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const IDLE_MS = 5 * 60_000;
const RECYCLE_AFTER_PAGES = 400;
/** A child holds up to 500 MB after a page, 700 after one of 20 megapixels. */
const RECYCLE_OVER_BYTES = 900 * 2 ** 20;
const CHILD_HEAP_MB = 768;

/** OCR in child processes, because a running network cannot be interrupted in-process. */
export class EmbeddedOcr implements OcrEngine {
  readonly #pool: SupervisedPool;
  readonly #pageMs: number;

  constructor(options: EmbeddedOcrOptions) {
    this.#pageMs = options.pageMs ?? PAGE_MS;
    const members = Array.from({ length: options.threads }, () => supervisedChild(options));
    const besideOthers = leavingACore(availableParallelism(), options.hasOthers);
    this.#pool = new SupervisedPool({
      name: 'ocr',
      members,
      runningPerStack: besideOthers.running,
      besideOthers,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
    });
  }

  get lifecycle(): Lifecycle {
    return this.#pool;
  }

  get parallel(): number {
    return this.#pool.size;
  }

  async read(picture: OcrPicture, work: StackWork): Promise<PageText> {
    try {
      const page = await this.#pool.ask(picture, { ...work, deadlineMs: this.#pageMs });
      if (!isPageText(page)) throw new TypeError('the OCR child gave no page');
      return page;
    } catch (error) {
      throw blamed(error);
    }
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.#pool.stop(signal);
  }
}

function supervisedChild({ files, observe, ...options }: EmbeddedOcrOptions): Supervised {
  return new Supervised({
    name: 'ocr',
    launch: forkedChild({
      entry: compiledEntry(import.meta.url, 'ocr-child.js'),
      env: {},
      args: [JSON.stringify(files)],
      nodeOptions: [`--max-old-space-size=${CHILD_HEAP_MB}`],
    }),
    // A page takes seconds; reading the text of a PDF, printing one and checking a picture take a fraction of one.
    priority: 'background',
    patience: { startTimeoutMs: 60_000, cancelGraceMs: 3_000, stopGraceMs: 2_000 },
    concurrency: 1,
    maxWaiting: 1,
    streamWindow: 1,
    idleMs: IDLE_MS,
    recycle: {
      afterRequests: options.recycleAfterPages ?? RECYCLE_AFTER_PAGES,
      overMemoryBytes: options.recycleOverBytes ?? RECYCLE_OVER_BYTES,
      freshStarts: 'after',
    },
    ...(observe && { observe }),
  });
}

/** If the child crashed or was killed while reading, the picture is to blame. */
function blamed(error: unknown): unknown {
  if (error instanceof ChildFailure && error.thrownName === 'UnreadablePicture') {
    return new UnreadablePicture(error.message, { cause: error });
  }
  if (!(error instanceof ChildLost)) return error;
  const wasEnded = error.started && ['crashed', 'misbehaved'].includes(error.reason);
  const isPicturesFault = wasEnded || error.reason === 'deadline';
  return isPicturesFault
    ? new UnreadablePicture('takes more time or memory to read than any real page; send a smaller one', {
        cause: error,
      })
    : error;
}
