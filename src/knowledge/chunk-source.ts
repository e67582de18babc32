import type { EmbeddedChunk } from './embedded-chunk.ts';

/** Where the search reads a stack's chunks from. Only ready versions are visible. */
export interface ChunkSource {
  /**
   * Changes whenever search results may: a version became ready, a document was removed or renamed. Read for every question, so
   * it must be cheap. Undefined if the stack has no documents.
   */
  generation(stackId: string, signal: AbortSignal): Promise<string | undefined>;
  /** The searchable versions and their generation, from one snapshot. */
  contents(stackId: string, signal: AbortSignal): Promise<StackContents>;
  /**
   * The chunks of a version from position `from` on, in order, at most `most`; a short page is the last one. Undefined if the
   * version is no longer searchable.
   */
  chunks(
    version: SearchableVersion,
    page: { from: number; most: number },
    signal: AbortSignal,
  ): Promise<readonly EmbeddedChunk[] | undefined>;
}

export interface StackContents {
  readonly generation: string;
  /** In a deterministic order, such as by name. */
  readonly versions: readonly SearchableVersion[];
}

/** A searchable version of a document; its content never changes. */
export interface SearchableVersion {
  readonly stackId: string;
  /** Unique across all documents; indexing a document again makes a new version. */
  readonly id: string;
  readonly documentId: string;
  readonly documentName: string;
  /** The model of its vectors; vectors of other models than the search's are ignored. */
  readonly embeddingsModel: string | undefined;
}
