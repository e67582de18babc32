import type { StackWork } from '../supervision/stack-work.ts';
import type { Chunk } from './chunk.ts';
import type { EmbeddedChunk } from './embedded-chunk.ts';
import type { EmbeddingsEngine } from './embeddings-engine.ts';
import { packVectors } from './packed-vectors.ts';
import { passagesOf } from './passages.ts';

/** Embeds the passages of chunks. */
export class ChunkEmbedder {
  readonly #engine: EmbeddingsEngine;

  constructor(engine: EmbeddingsEngine) {
    this.#engine = engine;
  }

  /** The embeddings model that made the vectors. */
  get model(): string {
    return this.#engine.model;
  }

  /** Returns the chunks in order. Batches of a few dozen passages keep an engine busy. */
  async embed(chunks: readonly Chunk[], work: StackWork): Promise<readonly EmbeddedChunk[]> {
    const passages = chunks.map(({ text }) => passagesOf(text));
    const all = passages.flat();
    if (all.length === 0) return chunks.map((chunk) => ({ ...chunk, vectors: new Uint8Array() }));
    const { vectors } = await this.#engine.embed(all, work);
    let start = 0;
    return chunks.map((chunk, index) => {
      const end = start + (passages[index]?.length ?? 0);
      const packed = packVectors(vectors.slice(start, end));
      start = end;
      return { ...chunk, vectors: packed };
    });
  }
}
