import type { SpanParent } from '../telemetry/request-trace.ts';
import type { Chunk } from './chunk.ts';

/** A chunk found for a question, with its scores. */
export interface FoundChunk extends Chunk {
  readonly documentId: string;
  readonly documentName: string;
  /** The sort key. */
  readonly score: number;
  /** The word score, 0 if no word of the question is in it. */
  readonly words: number;
  /** Cosine of the vectors; undefined if embeddings failed. */
  readonly meaning: number | undefined;
  /** How likely it is an answer, from 0 to 1 and comparable between questions; used for the threshold. */
  readonly relevance: number;
}

/** How a stack is searched. */
export interface SearchAsk {
  readonly most: number;
  readonly signal: AbortSignal;
  /** The wait for the question's vector becomes a part of it. Absent: the search is not traced. */
  readonly span?: SpanParent | undefined;
}

/** Finds the chunks of one stack for a question, best first. Deterministic. */
export interface KnowledgeSearch {
  search(stackId: string, question: string, ask: SearchAsk): Promise<readonly FoundChunk[]>;
}
