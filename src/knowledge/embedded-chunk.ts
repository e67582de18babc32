import type { Chunk } from './chunk.ts';

/** A stored chunk, with its vectors. */
export interface EmbeddedChunk extends Chunk {
  /**
   * Vectors of its passages, as `packVectors` writes them. Empty if the chunk was not embedded; it is then found by words only.
   */
  readonly vectors: Uint8Array;
}
