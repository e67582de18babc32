import type { Lexicon } from './lexicon.ts';
import { type Holding, holdingBefore, isFull, isMeasure } from './measures.ts';
import { singularOf, spellingsOf, wordsOf } from './word-forms.ts';
import { type Meaning, WordMeanings } from './word-meanings.ts';

/** A phrase of a prompt with a token. */
export interface FoundPhrase extends Meaning {
  /** Index and length, in words. */
  readonly at: number;
  readonly length: number;
  readonly text: string;
  /** Set if it holds what the next phrase names ("a vase of tulips"): the relation to use. */
  readonly holding?: Holding;
  /** Set after "the" and the like: it is there already. */
  readonly isDefinite?: boolean;
  /** Set if unknown words stand right before it. */
  readonly isAfterUnknown?: boolean;
}

/** The phrases of a prompt. */
export interface FoundPhrases {
  readonly phrases: readonly FoundPhrase[];
  /** All words, as they were read. */
  readonly words: readonly string[];
  /** Words that mean nothing here, each once. */
  readonly unknown: readonly string[];
}

const LONGEST_PHRASE_WORDS = 6;
const SAYS_WHAT_IS_HELD: ReadonlySet<string> = new Set(['with', 'holding', 'wearing', 'riding', 'eating']);
// The words that a reading adds to a person.
const HELD = / (?:holding|wearing|riding|with|behind) .*$/;
// A place is read as several things only where it stands alone: "a garden" has flowers, "a peacock in the garden" is on grass.
const SEVERAL = / (?:and|with|on|behind) /;
const PLACING: ReadonlySet<string> = new Set('in at on inside into through'.split(' '));
const SHORTEST_MEASURED_WORDS = 3;
// "His robot pal" is the robot.
const COMPANIONS: ReadonlySet<string> = new Set('pal buddy friend companion sidekick mate'.split(' '));
// Words for things, but what a person does when they follow one: "an aunt knitting a scarf".
const DEEDS: ReadonlySet<string> = new Set(
  'knitting painting cooking wrapping sewing ironing shopping camping carving bowling fencing building etching recording engraving dressing plumbing piping warning frosting icing topping decorating'.split(
    ' ',
  ),
);
const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the his her its their some two three four five six'.split(' '),
);
const DEFINITE: ReadonlySet<string> = new Set('the this that these those my his her its their'.split(' '));

/** Finds the tokens for the words of a prompt: the longest phrase wins, then plurals, related words and typos are tried. */
export class PhraseFinder {
  readonly #lexicon: Lexicon;
  readonly #meanings: WordMeanings;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#meanings = new WordMeanings(lexicon);
  }

  find(prompt: string): FoundPhrases {
    const words = this.#withReadings(wordsOf(prompt));
    const phrases: FoundPhrase[] = [];
    const unknown = new Set<string>();
    let isAfterUnknown = false;
    for (let at = 0; at < words.length; ) {
      const word = words[at] ?? '';
      const before = phrases.at(-1);
      const isCompound = before !== undefined && endOf(before) === at && this.#isObject(before);
      const isCompanion = COMPANIONS.has(word) || this.#isHead(word);
      const isNothing = isCompound && (isCompanion || this.#isDeed(words, at, before));
      const phrase = isNothing ? undefined : this.#longestAt(words, at);
      if (phrase !== undefined) phrases.push({ ...phrase, ...(isAfterUnknown && { isAfterUnknown }) });
      else if (isCompound && this.#isHead(word)) {
        for (const part of [...(phrases.pop()?.text.split(' ') ?? []), word]) unknown.add(part);
      } else if (!isNothing && this.#isUnknown(words, at)) {
        for (const spelling of spellingsOf(word).slice(-1)) unknown.add(spelling);
      }
      isAfterUnknown =
        phrase === undefined && (isAfterUnknown || unknown.has(spellingsOf(word).at(-1) ?? ''));
      at += phrase?.length ?? 1;
      if (isFull(words, at)) at += 2;
    }
    return { phrases, words, unknown: [...unknown] };
  }

  #isObject({ token }: FoundPhrase): boolean {
    return this.#lexicon.kindOf(token) === 'object';
  }

  /** Whether the word says what the thing before it does. */
  #isDeed(words: readonly string[], at: number, { token }: FoundPhrase): boolean {
    const isBySomebody = this.#lexicon.isPerson(token) || this.#lexicon.groupOf(token) === 'Animals & Nature';
    return DEEDS.has(words[at] ?? '') && (isBySomebody || DETERMINERS.has(words[at + 1] ?? ''));
  }

  #isHead(word: string): boolean {
    return this.#lexicon.isHead(word) || this.#lexicon.isHead(singularOf(word) ?? '');
  }

  #isUnknown(words: readonly string[], at: number): boolean {
    const word = words[at] ?? '';
    const isSilent = spellingsOf(word).some((spelling) => this.#lexicon.isStopWord(spelling));
    return word !== ',' && !isSilent && !isMeasure(words, at);
  }

  /** Replaces what is read by other words: a photographer is a person holding a camera, unless it is said what is held. */
  #withReadings(words: readonly string[]): readonly string[] {
    const read: string[] = [];
    for (let at = 0; at < words.length; ) {
      const [length, reading] = this.#readingAt(words, at);
      const rest = words.slice(at + length);
      const next = this.#lexicon.tokenOf(rest[0] ?? '');
      const saysOwn = next !== undefined && SAYS_WHAT_IS_HELD.has(this.#lexicon.nameOf(next));
      const isSaid = saysOwn || rest.includes(reading.split(' ').at(-1) ?? '');
      const kept = isSaid ? reading.replace(HELD, '') : reading;
      read.push(...kept.split(' ').filter(Boolean));
      at += length;
    }
    return read;
  }

  #readingAt(words: readonly string[], at: number): readonly [number, string] {
    for (let length = Math.min(LONGEST_PHRASE_WORDS, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length).join(' ');
      const reading = this.#lexicon.readingOf(phrase) ?? this.#lexicon.readingOf(singularOf(phrase) ?? '');
      // "A couple of cats" are no couple.
      const isOther = reading === undefined || words[at + length] === 'of' || isPlaceOf(words, at, reading);
      if (!isOther) return [length, reading];
    }
    return [1, words[at] ?? ''];
  }

  #longestAt(words: readonly string[], at: number): FoundPhrase | undefined {
    const shortest = isMeasure(words, at) ? SHORTEST_MEASURED_WORDS : 1;
    for (let length = Math.min(LONGEST_PHRASE_WORDS, words.length - at); length >= shortest; length--) {
      const part = words.slice(at, at + length);
      if (part.includes(',')) continue;
      const meaning = this.#meanings.of(part.join(' '));
      if (meaning === undefined || this.#isColourOfNext(part, words[at + length])) continue;
      const holding = holdingBefore(words, at + length);
      const isDefinite = DEFINITE.has(words[at - 1] ?? '');
      return {
        ...meaning,
        at,
        length,
        text: part.join(' '),
        ...(holding && { holding }),
        ...(isDefinite && { isDefinite }),
      };
    }
    return undefined;
  }

  /** "An orange" is a fruit, but "an orange cat" is a cat. */
  #isColourOfNext(part: readonly string[], next: string | undefined): boolean {
    if (part.length === 1 || next === undefined || this.#lexicon.isStopWord(next)) return false;
    const last = this.#lexicon.tokenOf(part.at(-1) ?? '');
    if (last === undefined || this.#lexicon.kindOf(last) !== 'colours') return false;
    const meaning = this.#meanings.of(next);
    return meaning !== undefined && ['object', 'background'].includes(this.#lexicon.kindOf(meaning.token));
  }
}

/** Whether a place that would be read as several things says where something is. */
function isPlaceOf(words: readonly string[], at: number, reading: string): boolean {
  const before = words.slice(0, at).findLast((word) => !DETERMINERS.has(word));
  return SEVERAL.test(reading) && PLACING.has(before ?? '');
}

function endOf({ at, length }: FoundPhrase): number {
  return at + length;
}
