import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { StackWork } from '../supervision/stack-work.ts';

/** Turns texts into vectors; close vectors mean similar texts. */
export interface EmbeddingsEngine {
  /** Stored with each vector: vectors of different models cannot be compared. */
  readonly model: string;
  readonly lifecycle: Lifecycle;
  /** One unit vector per text, in order; texts must not be empty. */
  embed(texts: readonly string[], work: StackWork): Promise<Embeddings>;
  stop(signal: AbortSignal): Promise<void>;
}

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** Tokens read, as the engine counts them; estimated if it does not say. */
  readonly tokens: number;
}
