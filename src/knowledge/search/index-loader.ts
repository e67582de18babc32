import { SharedCalls } from '../../lib/shared-calls.ts';
import type { ChunkSource, SearchableVersion, StackContents } from '../chunk-source.ts';
import type { SearchAnswer, SearchJob } from './search-job.ts';

/** Sends a job to the thread that holds the indexes. */
export type AskWorker = (job: SearchJob, signal: AbortSignal) => Promise<SearchAnswer>;

/** Chunks read and handed over at a time. */
const PAGE_CHUNKS = 64;
/** Restarts of a load because the stack changed or the thread died. */
const MAX_ATTEMPTS = 5;

interface IndexLoaderParts {
  readonly source: ChunkSource;
  /** The model whose vectors are loaded. */
  readonly model: string;
  readonly ask: AskWorker;
  /** Aborts every load. */
  readonly stopping: AbortSignal;
}

/** Loads and updates the indexes of stacks; concurrent requests for a stack share one load. */
export class IndexLoader {
  readonly #parts: IndexLoaderParts;
  readonly #loads = new SharedCalls<string>();

  constructor(parts: IndexLoaderParts) {
    this.#parts = parts;
  }

  /** Loads missing versions; returns the generation that is now searchable. */
  load(stackId: string, signal: AbortSignal): Promise<string> {
    const start = (shared: AbortSignal) => this.#load(stackId, shared);
    // A large stack takes longer than a question waits: keep loading for later questions.
    this.#loads.join(stackId, this.#parts.stopping, start).catch(() => undefined);
    return this.#loads.join(stackId, signal, start);
  }

  async #load(stackId: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const contents = await this.#parts.source.contents(stackId, signal);
      if (await this.#loadContents(stackId, contents, signal)) return contents.generation;
    }
    throw new Error('the documents of the stack changed faster than they could be loaded');
  }

  async #loadContents(
    stackId: string,
    { generation, versions }: StackContents,
    signal: AbortSignal,
  ): Promise<boolean> {
    const opened = await this.#parts.ask({ kind: 'open', stackId, versions }, signal);
    const missing = new Set('missing' in opened ? opened.missing : []);
    for (const version of versions) {
      if (missing.has(version.id) && !(await this.#loadVersion(version, signal))) return false;
    }
    const published = await this.#parts.ask({ kind: 'publish', stackId, generation, versions }, signal);
    return 'done' in published;
  }

  async #loadVersion(version: SearchableVersion, signal: AbortSignal): Promise<boolean> {
    for (let from = 0, isLast = false; !isLast; ) {
      const chunks = await this.#parts.source.chunks(version, { from, most: PAGE_CHUNKS }, signal);
      if (chunks === undefined) return false;
      isLast = chunks.length < PAGE_CHUNKS;
      const comparable =
        version.embeddingsModel === this.#parts.model
          ? chunks
          : chunks.map((chunk) => ({ ...chunk, vectors: new Uint8Array() }));
      const page = { version, chunks: comparable, isFirst: from === 0, isLast };
      const added = await this.#parts.ask({ kind: 'add', stackId: version.stackId, ...page }, signal);
      if (!('done' in added)) return false;
      from = (chunks.at(-1)?.position ?? from) + 1;
    }
    return true;
  }
}
