import type { Chunk } from './chunk.ts';

/** A version of a document that this process has leased. */
export interface IndexingTask {
  readonly documentId: string;
  readonly stackId: string;
  readonly name: string;
  readonly version: number;
  /** `index`: the newest version, from the start or resumed. `embed`: vectors for a version that is already searchable. */
  readonly kind: 'index' | 'embed';
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** Number of passages, once all of them are stored. */
  readonly cutChunks: number | undefined;
  /** Identifies the claim; a process that takes the task over has another one. */
  readonly holder: string;
}

/** The stored vectors of one passage. */
export interface ChunkVectors {
  readonly position: number;
  readonly vectors: Uint8Array;
}

/** The document was removed, replaced, or claimed by another process: stop working on it. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost';
  override readonly message = 'the document was removed, replaced or taken over';
}

/**
 * Documents waiting to be indexed, shared by all replicas. A task belongs to one process at a time; the task of a killed process
 * is free when its lease expires. Every call on a task throws TaskLost once the lease is lost.
 */
export interface IndexingQueue {
  /**
   * The next document, in round robin among stacks: the stack after the one named is served next. With `embedsAnew` also
   * documents whose vectors are missing or of another model.
   */
  take(ask: {
    readonly model: string;
    readonly embedsAnew: boolean;
    readonly afterStack?: string | undefined;
  }): Promise<IndexingTask | undefined>;
  renew(task: IndexingTask): Promise<void>;
  readBytes(task: IndexingTask, signal: AbortSignal): Promise<Uint8Array>;
  /** Stores the passages of a version, replacing those of an interrupted attempt. */
  storeChunks(task: IndexingTask, chunks: readonly Chunk[], signal: AbortSignal): Promise<void>;
  /** Passages after a position without vectors of the model, in order. */
  withoutVectors(
    task: IndexingTask,
    model: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly Chunk[]>;
  storeVectors(task: IndexingTask, model: string, vectors: readonly ChunkVectors[]): Promise<void>;
  /** Makes the version searchable; `model` is the model of all its vectors. */
  finish(task: IndexingTask, model: string | undefined): Promise<void>;
  fail(task: IndexingTask, failure: string): Promise<void>;
  /** Returns the task to the queue for later; the reason is shown meanwhile. */
  postpone(task: IndexingTask, later: { readonly delayMs: number; readonly reason: string }): Promise<void>;
  /** Returns the task as if it had not been taken. */
  giveBack(task: IndexingTask): Promise<void>;
}
