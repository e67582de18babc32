import type { Chunk } from '../../src/knowledge/chunk.ts';
import { ChunkEmbedder } from '../../src/knowledge/chunk-embedder.ts';
import type { ChunkSource, SearchableVersion, StackContents } from '../../src/knowledge/chunk-source.ts';
import type { EmbeddedChunk } from '../../src/knowledge/embedded-chunk.ts';
import type { EmbeddingsEngine } from '../../src/knowledge/embeddings-engine.ts';

/** In-memory documents of stacks; the newest version of each is searchable. */
export class MemoryChunkSource implements ChunkSource {
  readonly #embedder: ChunkEmbedder;
  readonly #versions = new Map<string, { version: SearchableVersion; chunks: readonly EmbeddedChunk[] }>();
  #changes = 0;
  /** Names of the documents read. */
  readonly reads: string[] = [];

  constructor(engine: EmbeddingsEngine) {
    this.#embedder = new ChunkEmbedder(engine);
  }

  /** Adds a document, or its next version, with a chunk per text. */
  async put(stackId: string, documentName: string, texts: readonly string[]): Promise<void> {
    const chunks = texts.map((text, position): Chunk => ({ position, text, headings: [] }));
    const embedded = await this.#embedder.embed(chunks, {
      stackId: 'shop',
      signal: new AbortController().signal,
    });
    const id = `${stackId}/${documentName}/${this.#changes}`;
    this.remove(stackId, documentName);
    const embeddingsModel = this.#embedder.model;
    const version = { stackId, id, documentId: `${stackId}/${documentName}`, documentName, embeddingsModel };
    this.#versions.set(id, { version, chunks: embedded });
  }

  remove(stackId: string, documentName: string): void {
    this.#changes += 1;
    for (const [id, { version }] of this.#versions)
      if (version.stackId === stackId && version.documentName === documentName) this.#versions.delete(id);
  }

  async generation(stackId: string): Promise<string | undefined> {
    return this.#of(stackId).length > 0 ? String(this.#changes) : undefined;
  }

  async contents(stackId: string): Promise<StackContents> {
    return { generation: String(this.#changes), versions: this.#of(stackId) };
  }

  async chunks(
    { id, documentName }: SearchableVersion,
    { from, most }: { from: number; most: number },
  ): Promise<readonly EmbeddedChunk[] | undefined> {
    this.reads.push(documentName);
    return this.#versions
      .get(id)
      ?.chunks.filter(({ position }) => position >= from)
      .slice(0, most);
  }

  #of(stackId: string): readonly SearchableVersion[] {
    const versions = [...this.#versions.values()].map(({ version }) => version);
    return versions
      .filter((version) => version.stackId === stackId)
      .sort((left, right) => (left.documentName < right.documentName ? -1 : 1));
  }
}
