import { Fault } from '../../faults/fault.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { keepLease } from '../../lib/kept-lease.ts';
import type { Log } from '../../telemetry/log.ts';
import { type IndexingTask, TaskLost } from '../indexing-queue.ts';
import type { KnowledgeStore } from '../knowledge-store.ts';
import { EmbeddingsAway, type IndexingParts, indexDocument } from './index-document.ts';

/** The result of working on one document. */
export type IndexingOutcome = 'ready' | 'without-vectors' | 'failed' | 'postponed' | 'lost';

export interface IndexerOptions extends IndexingParts {
  readonly store: Pick<KnowledgeStore, 'tidy'>;
  readonly log: Log;
  readonly observe?: (outcome: IndexingOutcome) => void;
  readonly clock?: Clock;
}

/** How soon work queued by other processes is found. */
const POLL_MS = 2_000;
/** Well below the lease, so that one late renewal does no harm. */
const RENEW_MS = 5_000;
/** Attempts before a document fails for a reason that may pass: OCR still downloading, a crash. */
const READING_ATTEMPTS = 20;
/** Attempts to embed before a document becomes searchable by words only; vectors follow later. */
const EMBEDDING_ATTEMPTS = 5;
const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 5 * 60_000;

/** Indexes queued documents one at a time. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};
  #isWoken = false;
  #embeddingFailures = 0;
  #embeddingsRestUntilMs = 0;
  #lastStack: string | undefined;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Starts looking for work at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Aborts the current document; the next indexer resumes it. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isWoken = false;
      const isMore = await this.#step().catch((error: unknown) => {
        if (!signal.aborted) this.#options.log.error({ error }, 'documents cannot be indexed at the moment');
        return false;
      });
      if (!isMore && !this.#isWoken && !signal.aborted) await this.#pause();
    }
  }

  /** Indexes at most one document, then cleans up. */
  async #step(): Promise<boolean> {
    const { queue, embedder, store } = this.#options;
    const embedsAnew = this.#clock.nowMs() >= this.#embeddingsRestUntilMs;
    const task = await queue.take({ model: embedder.model, embedsAnew, afterStack: this.#lastStack });
    if (task !== undefined) {
      this.#lastStack = task.stackId;
      await this.#work(task);
    }
    await store.tidy(this.#stopping.signal);
    return task !== undefined;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(POLL_MS, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  async #work(task: IndexingTask): Promise<void> {
    const lease = keepLease({
      clock: this.#clock,
      periodMs: RENEW_MS,
      // Other failures here would also fail the indexing itself.
      renew: () => this.#options.queue.renew(task),
      isLost: (error) => error instanceof TaskLost,
    });
    try {
      // Earlier attempts crashed without reporting a reason.
      if (task.kind === 'index' && task.attempts > READING_ATTEMPTS) throw new Error('begun too often');
      await indexDocument(task, this.#options, AbortSignal.any([lease.lost, this.#stopping.signal]));
      this.#embeddingFailures = 0;
      this.#note(task, 'ready');
    } catch (error) {
      const outcome = await this.#settle(task, lease.lost.aborted ? lease.lost.reason : error);
      if (outcome !== undefined) this.#note(task, outcome);
    } finally {
      lease.end();
    }
  }

  /** Decides what happens to a failed task; undefined while stopping. */
  async #settle(task: IndexingTask, error: unknown): Promise<IndexingOutcome | undefined> {
    try {
      if (error instanceof TaskLost) return 'lost';
      if (this.#stopping.signal.aborted) {
        await this.#options.queue.giveBack(task);
        return undefined;
      }
      if (error instanceof EmbeddingsAway) return await this.#goOnWithoutVectors(task, error);
      return await this.#retryOrFail(task, error);
    } catch (settling) {
      // Its lease expires and it is taken again.
      if (!(settling instanceof TaskLost))
        this.#options.log.error({ error: settling }, 'a document was left');
      return 'lost';
    }
  }

  async #goOnWithoutVectors(task: IndexingTask, { cause }: EmbeddingsAway): Promise<IndexingOutcome> {
    const { queue, log, writer } = this.#options;
    const restMs = delayAfter(++this.#embeddingFailures);
    this.#embeddingsRestUntilMs = this.#clock.nowMs() + restMs;
    log.warn(
      { document: task.documentId, error: cause },
      'a document could not be embedded; it is tried again',
    );
    const attempts = task.cutChunks === undefined ? 1 : task.attempts;
    if (task.kind === 'index' && attempts >= EMBEDDING_ATTEMPTS) {
      await writer?.write(task, undefined, this.#stopping.signal);
      await queue.finish(task, undefined);
      return 'without-vectors';
    }
    const delayMs = task.kind === 'index' ? delayAfter(attempts) : restMs;
    await queue.postpone(task, { delayMs, reason: NO_EMBEDDINGS });
    return 'postponed';
  }

  async #retryOrFail(task: IndexingTask, error: unknown): Promise<IndexingOutcome> {
    const { queue, log } = this.#options;
    const isForeseen = error instanceof Fault && error.status < 500;
    // A fault's message contains the document's name, which is tenant data; its cause does not.
    const logged = error instanceof Fault ? { fault: error.code, error: error.cause } : { error };
    if (!isForeseen) log.warn({ document: task.documentId, ...logged }, 'a document could not be indexed');
    const reason = error instanceof Fault ? error.message : UNFORESEEN;
    if (task.kind === 'index' && (isForeseen || task.attempts >= READING_ATTEMPTS)) {
      await queue.fail(task, reason);
      return 'failed';
    }
    await queue.postpone(task, { delayMs: delayAfter(task.attempts), reason });
    return 'postponed';
  }

  #note({ documentId, stackId, version, kind }: IndexingTask, outcome: IndexingOutcome): void {
    this.#options.observe?.(outcome);
    this.#options.log.info(
      { document: documentId, stack: stackId, version, kind, outcome },
      'document indexed',
    );
  }
}

const NO_EMBEDDINGS = 'The embeddings engine does not answer; it is asked again.';
const UNFORESEEN = 'The document could not be indexed; the log of the gateway tells why.';

function delayAfter(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20));
}
