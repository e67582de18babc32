import { setMaxListeners } from 'node:events';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import { ChildLost } from '../../supervision/child-lost.ts';
import type { LaunchChild } from '../../supervision/child-port.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { ChunkSource } from '../chunk-source.ts';
import type { FoundChunk, KnowledgeSearch, SearchAsk } from '../knowledge-search.ts';
import { indexMaker } from './index-files.ts';
import { IndexLoader } from './index-loader.ts';
import { QuestionEmbedder, type QuestionEmbedderOptions, searchedPart } from './question-embedder.ts';
import type { SearchAnswer, SearchJob, SearchWorkerData } from './search-job.ts';
import type { Query } from './stack-index.ts';

export interface HybridSearchOptions extends QuestionEmbedderOptions {
  readonly source: ChunkSource;
  readonly observe?: (event: ChildEvent) => void;
  readonly launch?: LaunchChild;
  /** Memory bound for the indexes of all stacks, except the one asked last. */
  readonly memoryBytes: number;
  /** Where indexes are kept as files; absent: in memory only. */
  readonly files?: { readonly folder: string; readonly isReadOnly: boolean };
}

/** Least JavaScript heap of the thread; vectors and texts are outside of it. */
const LEAST_HEAP_MIB = 1024;
const MIB = 1024 ** 2;
/** How long changes of an index are gathered before it is saved. */
const SAVE_DELAY_MS = 1_000;
/** A page of chunks takes some tenths of a CPU second. */
const JOB_DEADLINE_MS = 30_000;
/** Waiting jobs, per stack and in total. */
const MAX_WAITING_PER_STACK = 1_000;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** Retries when a stack was evicted or changed, or the thread died. */
const MAX_ATTEMPTS = 3;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 2_000, stopGraceMs: 5_000 };

/**
 * Searches by words and by meaning in a thread that holds the most recently used indexes. A dead thread is replaced and reloads
 * indexes on demand, from their files where there are some.
 */
export class HybridSearch implements KnowledgeSearch {
  readonly #options: HybridSearchOptions;
  readonly #worker: Supervised;
  readonly #loader: IndexLoader;
  readonly #questions: QuestionEmbedder;
  readonly #stopping = new AbortController();

  constructor(options: HybridSearchOptions) {
    this.#options = options;
    this.#questions = new QuestionEmbedder(options);
    this.#worker = new Supervised({
      name: 'knowledge search',
      launch: options.launch ?? launchWorker(options),
      patience,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      ...(options.observe && { observe: options.observe }),
    });
    // Each question that waits for a load listens; more than ten are not a leak.
    setMaxListeners(0, this.#stopping.signal);
    const { source, embeddings } = options;
    this.#loader = new IndexLoader({
      source,
      model: embeddings.model,
      ask: (job, signal) => this.#ask(job, signal),
      stopping: this.#stopping.signal,
    });
  }

  async search(
    stackId: string,
    question: string,
    { most, signal, span }: SearchAsk,
  ): Promise<readonly FoundChunk[]> {
    const asked = searchedPart(question);
    let generation = await this.#options.source.generation(stackId, signal);
    if (generation === undefined || asked === '') return [];
    const [vector] = await Promise.all([
      this.#questions.vectorOf(asked, { stackId, signal, span }),
      // Load the index while the engine wakes up.
      this.#questions.isEngineWaking && this.#loader.load(stackId, signal),
    ]);
    const query: Query = { question: asked, vector, most };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const answer = await this.#ask({ kind: 'search', stackId, generation, query }, signal);
      if ('found' in answer) return answer.found;
      generation = await this.#loader.load(stackId, signal);
    }
    throw new Error('the index of the stack was dropped as often as it was loaded');
  }

  /** Stops the thread; aborting the signal kills it. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort(new Error('the search is stopping'));
    await this.#worker.stop(signal);
  }

  /** Retries a job lost with its thread; a new thread answers `absent` for what it lacks. */
  async #ask(job: SearchJob, signal: AbortSignal): Promise<SearchAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.#worker.ask(job, {
          signal,
          stackId: job.stackId,
          deadlineMs: JOB_DEADLINE_MS,
        })) as SearchAnswer;
      } catch (error) {
        const mayTryAgain =
          error instanceof ChildLost && error.reason !== 'stopped' && attempt < MAX_ATTEMPTS;
        if (!mayTryAgain) throw error;
      }
    }
  }
}

function launchWorker({ memoryBytes, files, embeddings }: HybridSearchOptions): LaunchChild {
  const data: SearchWorkerData = {
    maxBytes: memoryBytes,
    ...(files && { files: { ...files, maker: indexMaker(embeddings.model), saveDelayMs: SAVE_DELAY_MS } }),
  };
  return workerChild({
    entry: compiledEntry(import.meta.url, './search-worker.js'),
    env: {},
    data,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(LEAST_HEAP_MIB, Math.ceil(memoryBytes / MIB)) },
  });
}
