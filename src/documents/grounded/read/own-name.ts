import { isInstitutionWord } from '../words/institutions.ts';
import { labelTokens } from '../words/label-words.ts';
import type { Segment } from './source-text.ts';

/** A name that says what it is, as `Harbour Growth Fund`. */
export interface OwnName {
  readonly text: string;
  /** The tokens of each word that says it. */
  readonly kinds: readonly (readonly string[])[];
}

/** The name up to the next comma that begins a segment without a label, or behind a comma of it; undefined if it does not say what it is. */
export function ownNameAt({ text }: Segment, offset: number): OwnName | undefined {
  const isOpening = offset === 0 || /,\s$/.test(text.slice(Math.max(0, offset - 2), offset));
  if (!isOpening || text.includes(':')) return undefined;
  const [part = ''] = text.slice(offset).split(/[,;.]?(?:\s[(–—-]|[,;]\s|$)/, 1);
  if (!/^\p{Lu}\S* (?:\p{Ll}{1,3} )*\p{Lu}/u.test(part)) return undefined;
  const words = part.split(/\s+/);
  const telling = [...words.slice(0, 2), ...words.slice(2).slice(-1)].filter(isInstitutionWord);
  return telling.length === 0 ? undefined : { text: part, kinds: telling.map(labelTokens) };
}
