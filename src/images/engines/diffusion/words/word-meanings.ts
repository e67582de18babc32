import type { Lexicon } from './lexicon.ts';
import { isOneSlipApart, singularOf, spellingsOf } from './word-forms.ts';

/** The token of a phrase, and whether it is said of several. */
export interface Meaning {
  readonly token: number;
  readonly isPlural: boolean;
}

// These come in pairs: "boots" are two, not three.
const IN_TWOS =
  /(?:boots?|shoes?|sneakers?|sandals?|heels?|skates?|gloves?|headphones?|earphones?|cleats|curtains?)$/;

/** Tells what a phrase means: by its own name, its singular, a related word, or as a typo. */
export class WordMeanings {
  readonly #lexicon: Lexicon;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** The meaning of a phrase, or of one word, which may be misspelt. */
  of(text: string): Meaning | undefined {
    const isOneWord = !text.includes(' ');
    const [phrase = '', owner] = spellingsOf(text);
    if (isOneWord && this.#lexicon.isStopWord(phrase)) return undefined;
    if (owner !== undefined) {
      const token = this.#lexicon.tokenOf(phrase);
      return token === undefined ? this.of(owner) : { token, isPlural: false };
    }
    const singular = singularOf(phrase);
    return (
      this.#named(phrase, singular) ??
      this.#relative(phrase, singular) ??
      (isOneWord ? this.#slip(phrase) : undefined)
    );
  }

  #named(phrase: string, singular: string | undefined): Meaning | undefined {
    const direct = this.#lexicon.tokenOf(phrase);
    const one = singular === undefined ? undefined : this.#lexicon.tokenOf(singular);
    // "Stars" is also a keyword of the night sky; prefer the plural of a real name.
    const isKeyword =
      this.#lexicon.isLoose(phrase) && one !== undefined && !this.#lexicon.isLoose(singular ?? '');
    const isAlias = direct !== undefined && direct === one && this.#isPluralOfName(singular ?? '', direct);
    if (direct !== undefined && !isKeyword) return { token: direct, isPlural: isAlias };
    return one === undefined ? undefined : { token: one, isPlural: true };
  }

  /** "Cookies" are several even where the plural is in the lexicon, because one of them is called a cookie. */
  #isPluralOfName(singular: string, token: number): boolean {
    return ` ${this.#lexicon.nameOf(token)}`.endsWith(` ${singular}`) && !IN_TWOS.test(singular);
  }

  #relative(phrase: string, singular: string | undefined): Meaning | undefined {
    const direct = this.#lexicon.relatedToken(phrase);
    if (direct !== undefined) return { token: direct, isPlural: false };
    const one = singular === undefined ? undefined : this.#lexicon.relatedToken(singular);
    return one === undefined ? undefined : { token: one, isPlural: true };
  }

  #slip(word: string): Meaning | undefined {
    const known = this.#lexicon.correction(word, isOneSlipApart);
    const token = known === undefined ? undefined : this.#lexicon.tokenOf(known);
    return token === undefined ? undefined : { token, isPlural: false };
  }
}
