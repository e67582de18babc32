import type { Chunk } from './chunk.ts';

/** A chunk as it is kept: with what it means, for the search. */
export interface EmbeddedChunk extends Chunk {
  /**
   * The vectors of its passages as `packVectors` writes them; to everything but the search they are bytes to keep.
   * Empty where the chunk was not embedded: it is then found by its words.
   */
  readonly vectors: Uint8Array;
}
