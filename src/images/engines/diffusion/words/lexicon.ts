import { z } from 'zod';

const lexiconSchema = z.object({
  /** Grammar words; the index is the token, and 0 means nothing. */
  tokens: z.array(z.string()),
  /** The kind of each. */
  kinds: z.array(z.string()),
  /** The token of the first object; objects follow in order. */
  firstObject: z.int(),
  objects: z.array(z.object({ name: z.string(), group: z.string() })),
  /** Phrase → token. */
  phrases: z.record(z.string(), z.int()),
  /** Phrases that are keywords of an object rather than its name. */
  loose: z.array(z.string()),
  /** Names of the objects that are persons or like one. */
  people: z.array(z.string()).default([]),
  /** Unknown nouns that are the thing in a compound: a "tv remote" is no television. */
  heads: z.array(z.string()).default([]),
  /** Word → phrase of the nearest thing that can be painted. */
  related: z.record(z.string(), z.string()),
  /** Words without a visual meaning. */
  stop: z.array(z.string()),
  /** Words that must not be corrected, however similar to known ones. */
  spelled: z.array(z.string()),
  /** The names of what is put on, by where it goes. */
  worn: z.record(z.string(), z.array(z.string())).default({}),
  /** Phrase → the words that are read in its place. */
  readings: z.record(z.string(), z.string()).default({}),
});

export type TokenKind =
  | 'object'
  | 'colours'
  | 'shades'
  | 'sizes'
  | 'counts'
  | 'relations'
  | 'places'
  | 'background'
  | 'settings'
  | 'edits'
  | 'moods'
  | 'patterns'
  | 'none';

/** Kinds that may precede a thing. */
export const ADJECTIVES: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'colours',
  'shades',
  'sizes',
  'counts',
  'moods',
  'patterns',
]);

// Typos are corrected only in words long enough to be unambiguous.
const SHORTEST_TYPO = 5;

/** The painter's vocabulary. */
export class Lexicon {
  readonly #data: z.infer<typeof lexiconSchema>;
  readonly #phrases: ReadonlyMap<string, number>;
  readonly #related: ReadonlyMap<string, string>;
  readonly #loose: ReadonlySet<string>;
  readonly #people: ReadonlySet<string>;
  readonly #heads: ReadonlySet<string>;
  readonly #headwear: ReadonlySet<string>;
  readonly #worn: ReadonlySet<string>;
  readonly #stop: ReadonlySet<string>;
  readonly #spelled: ReadonlySet<string>;
  readonly #readings: ReadonlyMap<string, string>;
  readonly #typoCandidates: readonly string[];

  constructor(json: string) {
    this.#data = lexiconSchema.parse(JSON.parse(json));
    this.#phrases = new Map(Object.entries(this.#data.phrases));
    this.#related = new Map(Object.entries(this.#data.related));
    this.#loose = new Set(this.#data.loose);
    this.#people = new Set(this.#data.people);
    this.#heads = new Set(this.#data.heads);
    const { head: headwear } = this.#data.worn;
    this.#headwear = new Set(headwear);
    this.#worn = new Set(Object.values(this.#data.worn).flat());
    this.#stop = new Set(this.#data.stop);
    this.#spelled = new Set(this.#data.spelled);
    this.#readings = new Map(Object.entries(this.#data.readings));
    this.#typoCandidates = [...this.#phrases.keys()].filter(
      (phrase) => phrase.length >= SHORTEST_TYPO && !phrase.includes(' ') && !this.#loose.has(phrase),
    );
  }

  /** The token of an exact phrase. */
  tokenOf(phrase: string): number | undefined {
    return this.#phrases.get(phrase);
  }

  /** The token of the nearest thing that can be painted. */
  relatedToken(word: string): number | undefined {
    const phrase = this.#related.get(word);
    return phrase === undefined ? undefined : this.#phrases.get(phrase);
  }

  /** The words that are read in place of a phrase. */
  readingOf(phrase: string): string | undefined {
    return this.#readings.get(phrase);
  }

  /** The token of a grammar word. */
  grammarToken(name: string): number {
    const token = this.#data.tokens.indexOf(name);
    if (token === -1) throw new Error(`the lexicon has no word "${name}"`);
    return token;
  }

  /** The token of an object by its name. */
  objectToken(name: string): number | undefined {
    const at = this.#data.objects.findIndex((object) => object.name === name);
    return at === -1 ? undefined : this.#data.firstObject + at;
  }

  kindOf(token: number): TokenKind {
    if (token >= this.#data.firstObject) return 'object';
    return (this.#data.kinds[token] ?? 'none') as TokenKind;
  }

  nameOf(token: number): string {
    const { firstObject, tokens, objects } = this.#data;
    return (token < firstObject ? tokens[token] : objects[token - firstObject]?.name) ?? 'none';
  }

  /** The group of an object, as Unicode names it. */
  groupOf(token: number): string {
    const { firstObject, objects } = this.#data;
    return (token < firstObject ? undefined : objects[token - firstObject]?.group) ?? '';
  }

  /** Whether the token is a person or like one. */
  isPerson(token: number): boolean {
    return token >= this.#data.firstObject && this.#people.has(this.nameOf(token));
  }

  /** Whether the thing of this name is put on. */
  isWorn(name: string): boolean {
    return this.#worn.has(name);
  }

  /** Whether the thing of this name is put on a head. */
  isHeadwear(name: string): boolean {
    return this.#headwear.has(name);
  }

  /** Whether the unknown word is what a compound means. */
  isHead(word: string): boolean {
    return this.#heads.has(word);
  }

  /** Whether the phrase is a keyword rather than a name. */
  isLoose(phrase: string): boolean {
    return this.#loose.has(phrase);
  }

  /** Whether the word has no visual meaning. */
  isStopWord(word: string): boolean {
    return this.#stop.has(word);
  }

  /** The first known word that the given one may be a typo of. */
  correction(word: string, isSlip: (word: string, known: string) => boolean): string | undefined {
    if (word.length < SHORTEST_TYPO || this.#spelled.has(word)) return undefined;
    return this.#typoCandidates.find((known) => isSlip(word, known));
  }
}
