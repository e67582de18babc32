import { guessLanguage, prefixOf, questionWords, termsOf } from '../../dist/knowledge/search/terms.js';

const ASSUMED_CHUNKS = 20;

/** BM25 as the gateway has it, but with weights to choose. Texts are documents of one chunk, without headings. */
export class WeightedWords {
  #postings = new Map();
  #lengths = [];
  #languages = new Set();

  constructor(texts) {
    for (const [slot, text] of texts.entries()) this.#add(slot, text);
  }

  /** The parts of a question's scores that do not depend on weights. */
  prepare(question) {
    const words = questionWords(question, [...this.#languages]);
    return words.flatMap((stems) => {
      const prefixes = new Set([...stems].flatMap((stem) => prefixOf(stem) ?? []));
      return [
        { ...this.#found(stems), isPrefix: false },
        { ...this.#found(prefixes), isPrefix: true },
      ].filter(({ entries }) => entries.length > 0);
    });
  }

  /** The score of each text. */
  scores(prepared, { saturation, lengthFraction, prefixWeight }) {
    const scores = new Float64Array(this.#lengths.length);
    const mean = this.#lengths.reduce((sum, length) => sum + length, 0) / this.#lengths.length;
    for (const { rarity, entries, isPrefix } of prepared) {
      const weight = (isPrefix ? prefixWeight : 1) * rarity * (saturation + 1);
      for (const [slot, count] of entries) {
        const relative = this.#lengths[slot] / mean;
        const dampening = saturation * (1 - lengthFraction + lengthFraction * relative);
        scores[slot] += (weight * count) / (count + dampening);
      }
    }
    return scores;
  }

  #add(slot, text) {
    const language = guessLanguage(text);
    this.#languages.add(language);
    const counts = new Map();
    for (const term of termsOf(text, language)) {
      for (const each of [term, prefixOf(term)])
        if (each !== undefined) counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    for (const [term, count] of counts) {
      if (!this.#postings.has(term)) this.#postings.set(term, []);
      this.#postings.get(term).push([slot, count]);
    }
    this.#lengths[slot] = [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #found(terms) {
    const entries = [...terms].flatMap((term) => this.#postings.get(term) ?? []);
    const others = Math.max(0, this.#lengths.length + ASSUMED_CHUNKS - entries.length + 0.5);
    return { rarity: Math.log(1 + others / (entries.length + 0.5)), entries };
  }
}
