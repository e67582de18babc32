import { z } from 'zod';

const lexiconSchema = z.object({
  /** Names of the grammar's words; the place in the list is the token, and 0 means nothing. */
  tokens: z.array(z.string()),
  /** What each of them is. */
  kinds: z.array(z.string()),
  /** The token of the first object; objects follow in order. */
  firstObject: z.int(),
  objects: z.array(z.object({ name: z.string() })),
  /** Phrase → token. */
  phrases: z.record(z.string(), z.int()),
  /** Phrases that are keywords of an object rather than its name. */
  loose: z.array(z.string()),
  /** Word → the phrase of the nearest thing that can be painted. */
  related: z.record(z.string(), z.string()),
  /** Words that say nothing about a picture. */
  stop: z.array(z.string()),
  /** Words that are no slips of known ones, however much they look like them. */
  spelled: z.array(z.string()),
});

/** What a token stands for. */
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
  | 'none';

/** What may stand before a thing. */
export const ADJECTIVES: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'colours',
  'shades',
  'sizes',
  'counts',
]);

// A typo is only guessed at in words that are long enough to leave little doubt.
const SHORTEST_TYPO = 5;

/** The words that the painter knows, and what they stand for. */
export class Lexicon {
  readonly #data: z.infer<typeof lexiconSchema>;
  readonly #phrases: ReadonlyMap<string, number>;
  readonly #related: ReadonlyMap<string, string>;
  readonly #loose: ReadonlySet<string>;
  readonly #stop: ReadonlySet<string>;
  readonly #spelled: ReadonlySet<string>;
  readonly #typoCandidates: readonly string[];

  constructor(json: string) {
    this.#data = lexiconSchema.parse(JSON.parse(json));
    this.#phrases = new Map(Object.entries(this.#data.phrases));
    this.#related = new Map(Object.entries(this.#data.related));
    this.#loose = new Set(this.#data.loose);
    this.#stop = new Set(this.#data.stop);
    this.#spelled = new Set(this.#data.spelled);
    this.#typoCandidates = [...this.#phrases.keys()].filter(
      (phrase) => phrase.length >= SHORTEST_TYPO && !phrase.includes(' ') && !this.#loose.has(phrase),
    );
  }

  /** The token of a phrase as it stands. */
  tokenOf(phrase: string): number | undefined {
    return this.#phrases.get(phrase);
  }

  /** The token of the nearest thing that can be painted. */
  relatedToken(word: string): number | undefined {
    const phrase = this.#related.get(word);
    return phrase === undefined ? undefined : this.#phrases.get(phrase);
  }

  /** The token of a word of the grammar. */
  grammarToken(name: string): number {
    const token = this.#data.tokens.indexOf(name);
    if (token === -1) throw new Error(`the lexicon has no word "${name}"`);
    return token;
  }

  kindOf(token: number): TokenKind {
    if (token >= this.#data.firstObject) return 'object';
    return (this.#data.kinds[token] ?? 'none') as TokenKind;
  }

  nameOf(token: number): string {
    const { firstObject, tokens, objects } = this.#data;
    return (token < firstObject ? tokens[token] : objects[token - firstObject]?.name) ?? 'none';
  }

  /** Whether the phrase is a keyword rather than a name. */
  isLoose(phrase: string): boolean {
    return this.#loose.has(phrase);
  }

  /** Whether the word says nothing about a picture. */
  isStopWord(word: string): boolean {
    return this.#stop.has(word);
  }

  /** The first known word that the given one may be a slip of. */
  correction(word: string, isSlip: (word: string, known: string) => boolean): string | undefined {
    if (word.length < SHORTEST_TYPO || this.#spelled.has(word)) return undefined;
    return this.#typoCandidates.find((known) => isSlip(word, known));
  }
}
