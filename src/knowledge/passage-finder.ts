import type { FoundChunk } from './knowledge-search.ts';

/** A question for a finder. */
export interface FinderQuestion {
  readonly stackId: string;
  readonly question: string;
  readonly most: number;
  /** The model of the question's vector. */
  readonly model: string;
  /** The vector of the question; undefined if embeddings failed. */
  readonly vectorOf: () => Promise<Float32Array | undefined>;
}

/** Finds the chunks of a stack where they are stored. */
export interface PassageFinder {
  /** Best first; undefined if some documents of the stack are not yet written for it. */
  find(asked: FinderQuestion, signal: AbortSignal): Promise<readonly FoundChunk[] | undefined>;
}
