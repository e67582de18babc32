import type { Chunk } from './chunk.ts';

/** A chunk that was found, with how well it fits. */
export interface FoundChunk extends Chunk {
  readonly documentId: string;
  readonly documentName: string;
  /** What the order goes by. */
  readonly score: number;
  /** The share of words, 0 where none of the question's is in it. */
  readonly words: number;
  /** The cosine of the vectors; undefined where embeddings did not answer. */
  readonly meaning: number | undefined;
  /** How much it looks like an answer, from 0 to 1, comparable between questions: what a threshold is held against. */
  readonly relevance: number;
}

/** Finds the chunks of one stack that fit a question, best first; the same question and index give the same chunks. */
export interface KnowledgeSearch {
  search(
    stackId: string,
    question: string,
    ask: { most: number; signal: AbortSignal },
  ): Promise<readonly FoundChunk[]>;
}
