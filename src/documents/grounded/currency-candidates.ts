import { CURRENCY_MARKS, currencyIn } from '../values/currency-codes.ts';
import { type Candidate, LABEL_WEIGHT } from './candidate.ts';
import type { Evidence } from './evidence.ts';

const MARKS = new RegExp(String.raw`(?<!\p{L})${CURRENCY_MARKS}(?!\p{L})`, 'gu');

/** Codes and signs of currencies in a text, as codes. */
export function currencyCandidates({ source }: Pick<Evidence, 'source'>): readonly Candidate[] {
  return Array.from(source.text.matchAll(MARKS)).flatMap((match) => {
    const [text] = match;
    const start = match.index;
    // A sign of letters is one beside a figure only.
    const around = source.text.slice(Math.max(0, start - 2), start + text.length + 2);
    const value = currencyIn(around, source.text);
    if (value === undefined) return [];
    return [{ value, text, start, end: start + text.length, label: 1, score: LABEL_WEIGHT }];
  });
}
