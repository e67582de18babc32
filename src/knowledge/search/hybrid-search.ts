import { setMaxListeners } from 'node:events';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import { ChildLost } from '../../supervision/child-lost.ts';
import type { LaunchChild } from '../../supervision/child-port.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { ChunkSource } from '../chunk-source.ts';
import type { EmbeddingsEngine } from '../embeddings-engine.ts';
import type { FoundChunk, KnowledgeSearch } from '../knowledge-search.ts';
import { IndexLoader } from './index-loader.ts';
import type { SearchAnswer, SearchJob } from './search-job.ts';
import type { Query } from './stack-index.ts';

export interface HybridSearchOptions {
  readonly source: ChunkSource;
  readonly embeddings: EmbeddingsEngine;
  /** Told when a question was searched for its words alone. */
  readonly onEmbeddingsFailure: (error: unknown) => void;
  readonly observe?: (event: ChildEvent) => void;
  readonly launch?: LaunchChild;
  /** How long a question waits for its vector. */
  readonly embeddingPatience?: EmbeddingPatience;
}

interface EmbeddingPatience {
  readonly readyMs: number;
  /** While the engine is waking up. */
  readonly wakingMs: number;
}

/** Memory that the indexes of all stacks take at most, but for the one that is searched. */
const MAX_INDEX_BYTES = 1024 ** 3;
/** JavaScript memory of the thread; vectors and texts lie outside of it. */
const MAX_HEAP_MIB = 1024;
/** A page of chunks takes some tenths of a CPU second. */
const JOB_DEADLINE_MS = 30_000;
/** The embedded engine sleeps when nobody asks, and is awake in 1 to 2.5 seconds; words alone would find other passages than the next question. */
const defaultPatience: EmbeddingPatience = { readyMs: 2_000, wakingMs: 4_000 };
/** Jobs that may wait, of one stack and in all. */
const MAX_WAITING_PER_STACK = 1_000;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** Longer questions are cut: a search for a whole document finds nothing in particular. */
const MAX_QUESTION_CHARACTERS = 4_000;
/** How often a question is asked again because its stack was dropped or changed, or its thread lost, in between. */
const MAX_ATTEMPTS = 3;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 2_000, stopGraceMs: 5_000 };

/**
 * Searches by words and by meaning, in a thread that holds the indexes of the stacks asked for last. A thread that
 * is lost is replaced, and loads anew what it is asked for.
 */
export class HybridSearch implements KnowledgeSearch {
  readonly #options: HybridSearchOptions;
  readonly #worker: Supervised;
  readonly #loader: IndexLoader;
  readonly #stopping = new AbortController();

  constructor(options: HybridSearchOptions) {
    this.#options = options;
    this.#worker = new Supervised({
      name: 'knowledge search',
      launch: options.launch ?? launchWorker(),
      patience,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      ...(options.observe && { observe: options.observe }),
    });
    // Every question that waits for a load listens; more than ten are no leak that Node should warn of.
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
    { most, signal }: { most: number; signal: AbortSignal },
  ): Promise<readonly FoundChunk[]> {
    const asked = question.slice(0, MAX_QUESTION_CHARACTERS).trim();
    let generation = await this.#options.source.generation(stackId, signal);
    if (generation === undefined || asked === '') return [];
    const [vector] = await Promise.all([
      this.#vectorOf(asked, { stackId, signal }),
      // Whoever waits for the engine need not wait for the index after that.
      this.#isEngineWaking() && this.#loader.load(stackId, signal),
    ]);
    const query: Query = { question: asked, vector, most };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const answer = await this.#ask({ kind: 'search', stackId, generation, query }, signal);
      if ('found' in answer) return answer.found;
      generation = await this.#loader.load(stackId, signal);
    }
    throw new Error('the index of the stack was dropped as often as it was loaded');
  }

  /** Ends the thread; the signal's abort ends it at once. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort(new Error('the search is stopping'));
    await this.#worker.stop(signal);
  }

  /** Undefined where the engine failed or took too long: words alone must do. */
  async #vectorOf(question: string, { stackId, signal }: StackWork): Promise<Float32Array | undefined> {
    const { embeddings, embeddingPatience = defaultPatience } = this.#options;
    const patienceMs = this.#isEngineWaking() ? embeddingPatience.wakingMs : embeddingPatience.readyMs;
    const enough = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      return (await embeddings.embed([question], { stackId, signal: enough })).vectors[0];
    } catch (error) {
      signal.throwIfAborted();
      this.#options.onEmbeddingsFailure(error);
      return undefined;
    }
  }

  #isEngineWaking(): boolean {
    const { state } = this.#options.embeddings.lifecycle;
    return state === 'paused' || state === 'starting';
  }

  /** A job is lost with its thread; what the next one lacks, it says. */
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

function launchWorker(): LaunchChild {
  return workerChild({
    entry: compiledEntry(import.meta.url, './search-worker.js'),
    env: {},
    data: { maxBytes: MAX_INDEX_BYTES },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
}
