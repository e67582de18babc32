import type { EmbeddedChunk } from './embedded-chunk.ts';

/** What the search reads a stack's chunks from. Only versions that are ready are seen here. */
export interface ChunkSource {
  /**
   * Changes with every change of what can be found in the stack: a version became ready, a document was
   * removed or renamed. Asked for each question, so it must be cheap. Undefined: the stack has no documents.
   */
  generation(stackId: string, signal: AbortSignal): Promise<string | undefined>;
  /** The versions that can be found, and the generation they are of, from one snapshot. */
  contents(stackId: string, signal: AbortSignal): Promise<StackContents>;
  /**
   * The chunks of one version whose positions are from `from` on, in the order of their positions, at most
   * `most`; fewer mean that it was the last page. Undefined: this version can no longer be found.
   */
  chunks(
    version: SearchableVersion,
    page: { from: number; most: number },
    signal: AbortSignal,
  ): Promise<readonly EmbeddedChunk[] | undefined>;
}

export interface StackContents {
  readonly generation: string;
  /** In an order that depends on nothing but the documents, such as their names'. */
  readonly versions: readonly SearchableVersion[];
}

/** A version of a document that can be found; what is in it never changes. */
export interface SearchableVersion {
  readonly stackId: string;
  /** Unique among all versions of all documents; a document indexed again is another version. */
  readonly id: string;
  readonly documentId: string;
  readonly documentName: string;
  /** Whose vectors its chunks have: those of another model than the search's are left out of account. */
  readonly embeddingsModel: string | undefined;
}
