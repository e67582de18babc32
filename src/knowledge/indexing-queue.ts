import type { Chunk } from './chunk.ts';

/** A version of a document that this process alone works on, for as long as it renews its lease. */
export interface IndexingTask {
  readonly documentId: string;
  readonly stackId: string;
  readonly name: string;
  readonly version: number;
  /** `index`: the newest version, from the start or from where it was left. `embed`: vectors for a version that is found already. */
  readonly kind: 'index' | 'embed';
  /** How many times this was begun, this time included. */
  readonly attempts: number;
  /** How many passages the version has, once all of them are stored. */
  readonly cutChunks: number | undefined;
  /** Names the claim: whoever took it over has another. */
  readonly holder: string;
}

/** The vectors of one passage in the form in which they are stored. */
export interface ChunkVectors {
  readonly position: number;
  readonly vectors: Uint8Array;
}

/** The document was removed, replaced, or taken over by another process: what is done for it is of no use. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost';
  override readonly message = 'the document was removed, replaced or taken over';
}

/**
 * Documents that wait to be indexed, over all processes. A task belongs to one process at a time; one that was
 * killed loses it when its lease ends. Every call on a task throws TaskLost when it belongs to nobody here any more.
 */
export interface IndexingQueue {
  /**
   * The next document, of the stack whose turn comes after that of the stack named: each stack that waits is served once
   * before one is served again. With `embedsAnew` also one whose vectors are missing or of another model.
   */
  take(ask: {
    readonly model: string;
    readonly embedsAnew: boolean;
    readonly afterStack?: string | undefined;
  }): Promise<IndexingTask | undefined>;
  renew(task: IndexingTask): Promise<void>;
  readBytes(task: IndexingTask, signal: AbortSignal): Promise<Uint8Array>;
  /** Stores the passages of a version; those of an interrupted attempt go first. */
  storeChunks(task: IndexingTask, chunks: readonly Chunk[], signal: AbortSignal): Promise<void>;
  /** Passages after a position that have no vectors of the model yet, in order. */
  withoutVectors(
    task: IndexingTask,
    model: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly Chunk[]>;
  storeVectors(task: IndexingTask, model: string, vectors: readonly ChunkVectors[]): Promise<void>;
  /** The version is what is found from now on; `model` is whose vectors all of its passages have. */
  finish(task: IndexingTask, model: string | undefined): Promise<void>;
  fail(task: IndexingTask, failure: string): Promise<void>;
  /** Puts the task back for a later time; the reason is shown meanwhile. */
  postpone(task: IndexingTask, later: { readonly delayMs: number; readonly reason: string }): Promise<void>;
  /** Puts the task back as if it had not been taken. */
  giveBack(task: IndexingTask): Promise<void>;
}
