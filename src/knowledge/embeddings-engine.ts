import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { StackWork } from '../supervision/stack-work.ts';

/** Turns texts into vectors whose closeness is closeness of meaning. */
export interface EmbeddingsEngine {
  /** Vectors of different models cannot be compared, so each is kept with this name. */
  readonly model: string;
  readonly lifecycle: Lifecycle;
  /** One vector of length 1 for each text, in their order; the text must not be empty. */
  embed(texts: readonly string[], work: StackWork): Promise<Embeddings>;
  stop(signal: AbortSignal): Promise<void>;
}

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** What reading the texts took, as the engine counts it; an estimate where it does not tell. */
  readonly tokens: number;
}
