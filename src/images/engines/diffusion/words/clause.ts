import { ADJECTIVES, type Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

/** The phrases of one change that an edit asks for. */
export type Clause = readonly FoundPhrase[];

/** Whether the phrase is an object, or "it". */
export function isThing(phrase: FoundPhrase | undefined, lexicon: Lexicon): boolean {
  if (phrase === undefined) return false;
  return lexicon.kindOf(phrase.token) === 'object' || lexicon.nameOf(phrase.token) === 'it';
}

/** Whether the phrase may stand before a thing that it describes. */
export function isAdjective(phrase: FoundPhrase | undefined, lexicon: Lexicon): boolean {
  return phrase !== undefined && ADJECTIVES.has(lexicon.kindOf(phrase.token));
}
