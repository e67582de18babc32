/** A chunk's scores for a question. */
export interface Fit {
  /** BM25 score. */
  readonly words: number;
  /** Cosine; undefined if embeddings failed. */
  readonly meaning: number | undefined;
}

/** Reference values over all chunks of the stack. */
export interface FitBounds {
  /** The highest BM25 score of all chunks. */
  readonly bestWords: number;
  /** Upper bound: the score of a chunk with every word of the question. */
  readonly mostWords: number;
  /** The mean cosine of all chunks. */
  readonly meanMeaning: number;
}

/**
 * Weight of the cosine relative to the normalised word score. Score fusion leaves German and Spanish, which the embedded encoder
 * does not know, where words alone have them; all variants of reciprocal ranks lost first places there (bench/RESULTS.md).
 */
const MEANING_WEIGHT = 0.7;
/** Weight of meaning in relevance; the rest is the fraction of the question's words a chunk has. */
const RELEVANCE_OF_MEANING = 0.25;

/** The sort key of chunks. */
export function fusedScore({ words, meaning = 0 }: Fit, { bestWords }: FitBounds): number {
  return (bestWords > 0 ? words / bestWords : 0) + MEANING_WEIGHT * meaning;
}

/**
 * How likely a chunk is an answer, from 0 to 1, comparable between questions. Meaning counts by its distance from the mean: in a
 * language it does not know, an encoder finds everything similar.
 */
export function relevanceOf({ words, meaning }: Fit, { mostWords, meanMeaning }: FitBounds): number {
  const coverage = mostWords > 0 ? Math.min(1, words / mostWords) : 0;
  if (meaning === undefined) return coverage;
  const distinction = meanMeaning < 1 ? Math.max(0, (meaning - meanMeaning) / (1 - meanMeaning)) : 0;
  return (1 - RELEVANCE_OF_MEANING) * coverage + RELEVANCE_OF_MEANING * distinction;
}
