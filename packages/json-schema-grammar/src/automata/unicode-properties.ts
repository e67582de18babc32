import { type CharacterSet, characterSet } from './character-set.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const FIRST_ASTRAL = 0x10000;
const SURROGATES = FIRST_AFTER_SURROGATES - FIRST_SURROGATE;

/** Code points by Unicode property, such as `Lu` or `Script=Greek`; each property is computed once. */
export class UnicodeProperties {
  readonly #sets = new Map<string, CharacterSet>();
  #everyCharacter: string | undefined;

  lookUp(property: string): CharacterSet {
    const known = this.#sets.get(property);
    if (known) return known;
    const found = this.#search(property);
    this.#sets.set(property, found);
    return found;
  }

  // One native search over all characters takes milliseconds; a test per code point takes a second.
  #search(property: string): CharacterSet {
    this.#everyCharacter ??= everyCharacter();
    const ranges = [...this.#everyCharacter.matchAll(runsOf(property))].map((run) => ({
      low: codePointAtIndex(run.index),
      high: codePointAtIndex(run.index + run[0].length) - 1,
    }));
    return characterSet(ranges);
  }
}

function runsOf(property: string): RegExp {
  try {
    return new RegExp(`\\p{${property}}+`, 'gu');
  } catch {
    throw new PatternUnsupported(`the Unicode property ${property} is not known`);
  }
}

function everyCharacter(): string {
  // The number of surrogates, so that they fill exactly one chunk, which is skipped.
  const chunk = SURROGATES;
  let text = '';
  for (let from = 0; from <= 0x10ffff; from += chunk) {
    if (from === FIRST_SURROGATE) continue;
    text += String.fromCodePoint(...Array.from({ length: chunk }, (_, offset) => from + offset));
  }
  return text;
}

function codePointAtIndex(index: number): number {
  if (index < FIRST_SURROGATE) return index;
  const shifted = index + SURROGATES;
  if (shifted < FIRST_ASTRAL) return shifted;
  return FIRST_ASTRAL + (shifted - FIRST_ASTRAL) / 2;
}
