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

/** A document whose pages were read already. */
export interface PagedDocument {
  readonly name: string;
  readonly pages: readonly PageText[];
}

/** What one document may take. */
export interface CutterLimits {
  /** Until the first chunks, and from some to the next. */
  readonly deadlineMs: number;
  readonly maxMemoryMib: number;
}

/** 50 MB of plain text take some 3 s of CPU and 280 MiB; what takes this is made to. */
const defaultLimits: CutterLimits = { deadlineMs: 60_000, maxMemoryMib: 1_024 };
const MAX_WAITING = 64;
const STREAM_WINDOW = 4;
const IDLE_MS = 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 200, stopGraceMs: 2_000 };
// A document that ends the worker is the document's fault: those behind it should not wait long for the next one.
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

/** Reads documents and cuts them into chunks in a thread that can be killed: a document that ends it is refused alone. */
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

  /** The chunks of a document; a PDF comes as its pages. One that cannot be read, or says nothing, is a fault. */
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

  /** Lets a document end that has begun; the signal's abort ends it too. */
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

/** A worker that died at its work, or had to be killed, died of the document. */
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
