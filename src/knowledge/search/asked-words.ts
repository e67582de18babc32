import { MOST_SATURATED, PREFIX_WEIGHT, rarityOf, saturated } from './bm25-index.ts';
import { LANGUAGES } from './stop-words.ts';
import { prefixOf, questionWords } from './terms.ts';

/** Terms that stand for one word of a question: its stems in the languages of a stack, or their prefixes. */
export interface AskedWord {
  readonly terms: readonly string[];
  /** The weight of a match, compared with one by a stem. */
  readonly fraction: number;
}

/** A passage with how often it has each term. */
export interface CountedPassage {
  readonly length: number;
  /** In the order of the terms that were asked for. */
  readonly counts: readonly number[];
}

export interface WordStatistics {
  /** Passages of the stack. */
  readonly count: number;
  readonly meanLength: number;
  /** How many passages have the term. */
  readonly found: (term: string) => number;
}

/** The words of a question for documents of these languages. */
export function askedWords(question: string, present: readonly string[]): readonly AskedWord[] {
  const languages = LANGUAGES.filter((language) => present.includes(language));
  return questionWords(question, languages).flatMap((stems) => {
    const prefixes = new Set([...stems].flatMap((stem) => prefixOf(stem) ?? []));
    const words = [
      { terms: [...stems], fraction: 1 },
      { terms: [...prefixes], fraction: PREFIX_WEIGHT },
    ];
    return words.filter(({ terms }) => terms.length > 0);
  });
}

/** Scores passages as `Bm25Index` does. `most` is the score of a passage with every word, an upper bound. */
export class WordScorer {
  readonly #words: readonly { readonly places: readonly number[]; readonly weight: number }[];
  readonly #meanLength: number;
  readonly most: number;

  /** `terms` are all terms of the words, in the order of the counts. */
  constructor(words: readonly AskedWord[], terms: readonly string[], statistics: WordStatistics) {
    this.#meanLength = statistics.meanLength;
    this.#words = words.map((word) => {
      const found = word.terms.reduce((sum, term) => sum + statistics.found(term), 0);
      const places = word.terms.map((term) => terms.indexOf(term));
      return { places, weight: word.fraction * rarityOf(found, statistics.count) };
    });
    this.most = this.#words.reduce((sum, { weight }) => sum + weight, 0) * MOST_SATURATED;
  }

  score({ length, counts }: CountedPassage): number {
    const relativeLength = length / this.#meanLength;
    let score = 0;
    for (const { places, weight } of this.#words)
      for (const place of places) {
        const count = counts[place] ?? 0;
        if (count > 0) score += weight * saturated(count, relativeLength);
      }
    return score;
  }
}
