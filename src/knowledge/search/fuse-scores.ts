/** How one chunk fits a question, by its words and by its meaning. */
export interface Fit {
  /** The BM25 score. */
  readonly words: number;
  /** The cosine; undefined where embeddings did not answer. */
  readonly meaning: number | undefined;
}

/** What all chunks of the stack have for a question. */
export interface FitBounds {
  /** The highest BM25 score of all chunks. */
  readonly bestWords: number;
  /** What a chunk with every word of the question would score at most. */
  readonly mostWords: number;
  /** The mean cosine of all chunks. */
  readonly meanMeaning: number;
}

/**
 * What the cosine counts beside the share of the best word score. Fusing scores leaves German and Spanish, which the
 * embedded encoder does not know, where words alone have them; reciprocal ranks, of every kind tried, lost first
 * places there (bench/RESULTS.md).
 */
const MEANING_WEIGHT = 0.7;
/** What meaning counts towards relevance; the rest is the share of the question's words that a chunk has. */
const RELEVANCE_OF_MEANING = 0.35;

/** What chunks are ordered by. */
export function fusedScore({ words, meaning = 0 }: Fit, { bestWords }: FitBounds): number {
  return (bestWords > 0 ? words / bestWords : 0) + MEANING_WEIGHT * meaning;
}

/**
 * How much a chunk looks like an answer, from 0 to 1, comparable between questions. Meaning counts by how far it
 * stands out: in a language that it does not know, an encoder finds everything close.
 */
export function relevanceOf({ words, meaning }: Fit, { mostWords, meanMeaning }: FitBounds): number {
  const coverage = mostWords > 0 ? Math.min(1, words / mostWords) : 0;
  if (meaning === undefined) return coverage;
  const distinction = meanMeaning < 1 ? Math.max(0, (meaning - meanMeaning) / (1 - meanMeaning)) : 0;
  return (1 - RELEVANCE_OF_MEANING) * coverage + RELEVANCE_OF_MEANING * distinction;
}
