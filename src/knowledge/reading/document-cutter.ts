import { Fault } from '../../faults/fault.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { PageText } from '../../reading/page-text.ts';
import { ChildFailure, ChildLost } from '../../supervision/child-lost.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { Chunk } from '../chunk.ts';
import { type CuttingJob, isChunk } from './cutting-job.ts';
import type { DocumentSource } from './document-source.ts';
import { printedPage } from './pdf-blocks.ts';
import { unreadableDocument } from './unreadable-document.ts';

/** A document whose pages were already read. */
export interface PagedDocument {
  readonly name: string;
  readonly pages: readonly PageText[];
}

/** Limits for one document. */
export interface CutterLimits {
  /** Until the first chunks, and between batches. */
  readonly deadlineMs: number;
  readonly maxMemoryMib: number;
}

/** 50 MB of plain text take about 3 s of CPU and 280 MiB; only a hostile document takes this much. */
const defaultLimits: CutterLimits = { deadlineMs: 60_000, maxMemoryMib: 1_024 };
const MAX_WAITING = 64;
const STREAM_WINDOW = 4;
const IDLE_MS = 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 200, stopGraceMs: 2_000 };
// A crash is the document's fault: the next documents should not wait long for a new worker.
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

/** Reads and cuts documents in a worker thread; a document that crashes or stalls it is refused alone. */
export class DocumentCutter {
  readonly #worker: Supervised;
  readonly #limits: CutterLimits;

  constructor(limits: Partial<CutterLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#worker = new Supervised({
      name: 'document cutter',
      launch: workerChild({
        entry: compiledEntry(import.meta.url, './reading-worker.js'),
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxMemoryMib },
      }),
      priority: 'background',
      patience,
      backoff,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      streamWindow: STREAM_WINDOW,
      idleMs: IDLE_MS,
    });
  }

  /** The chunks of a document; a PDF is passed as pages. Throws a fault if it is unreadable or empty. */
  async cut(document: DocumentSource | PagedDocument, work: StackWork): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = [];
    try {
      const answer = this.#worker.stream(jobOf(document), { ...work, deadlineMs: this.#limits.deadlineMs });
      for await (const batch of answer) {
        if (!batch.every(isChunk)) throw new TypeError('the document cutter gave no chunks');
        for (const chunk of batch) chunks.push(chunk);
      }
    } catch (error) {
      throw blamed(document.name, error);
    }
    return chunks;
  }

  /** Lets the current document finish; aborting the signal ends it. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#worker.stop(signal);
  }
}

function jobOf(document: DocumentSource | PagedDocument): CuttingJob {
  const { name } = document;
  return 'pages' in document
    ? { name, pages: document.pages.map(printedPage) }
    : { name, bytes: document.bytes };
}

/** If the worker crashed or was killed during a document, the document is to blame. */
function blamed(name: string, error: unknown): unknown {
  if (error instanceof ChildFailure) {
    const code = faultCode(error);
    return code ? new Fault(code, error.message, { cause: error }) : error;
  }
  if (!(error instanceof ChildLost)) return error;
  const isDocumentsFault = error.reason === 'deadline' || (error.started && error.reason === 'crashed');
  if (!isDocumentsFault) return error;
  return unreadableDocument(
    name,
    'takes more time or memory to read than any real document; split it',
    error,
  );
}

function faultCode({ thrownName, code }: ChildFailure): 'document-unreadable' | 'document-empty' | undefined {
  if (thrownName !== 'Fault') return undefined;
  return code === 'document-unreadable' || code === 'document-empty' ? code : undefined;
}
