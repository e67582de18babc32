import { withoutAccents } from '../../values/month-names.ts';
import { areCognates, cognateIn } from './cognates.ts';
import { CONCEPTS } from './concepts.ts';

const STOP: ReadonlySet<string> = new Set(
  (
    'the of a in is are was be whether what which who for and or with on by at as this that your our my der die das des dem den ein eine ' +
    'einer ist und oder mit im zum zur fur de la le el los las du d l y et o ou e con se es un una uno une al del di il lo da do dos em para ' +
    'pour por que qui makes there it its iso format yyyy mm dd string value text if any taken'
  ).split(' '),
);
const SHORTEST_PART = 4;
const SHORTEST_PREFIX = 4;
/** More matching words do not make a label more certain. */
const MOST_WANTED = 2;

/** A label that says whose name it is need not say that it is a name. */
const NAME_WEIGHT = 0.5;

/** Concepts of fields that are occupations too. */
const OCCUPATIONS: ReadonlySet<string> = new Set(['driver', 'teacher']);
const CONCEPTS_OF = readConcepts();
const KNOWN_WORDS: readonly string[] = Array.from(CONCEPTS_OF.keys()).sort();

/** The words of a field, weighted, to compare with labels. */
export class FieldWords {
  readonly #weights: ReadonlyMap<string, number>;
  /** Cache: a long document has few distinct words, each in hundreds of positions. */
  readonly #matches = new Map<string, string | undefined>();
  /** How many words a label must match to name the field. */
  readonly wanted: number;

  constructor(weights: ReadonlyMap<string, number> = new Map()) {
    this.#weights = weights;
    const full = Array.from(weights.values()).filter((weight) => weight === 1).length;
    this.wanted = Math.min(MOST_WANTED, Math.max(1, full));
  }

  get size(): number {
    return this.#weights.size;
  }

  get tokens(): readonly string[] {
    return Array.from(this.#weights.keys());
  }

  /** Words of the field's own name; all words if it has none. */
  get ownTokens(): readonly string[] {
    const own = this.tokens.filter((token) => this.weightOf(token) === 1);
    return own.length === 0 ? this.tokens : own;
  }

  has(token: string): boolean {
    return this.#weights.has(token);
  }

  weightOf(token: string): number {
    return this.#weights.get(token) ?? 0;
  }

  /** The field word that a label's word matches; the heaviest of several. */
  matching(word: string): string | undefined {
    if (!this.#matches.has(word)) this.#matches.set(word, this.#bestMatch(word.split('|')));
    return this.#matches.get(word);
  }

  #bestMatch(group: readonly string[]): string | undefined {
    let best: string | undefined;
    for (const [token, weight] of this.#weights) {
      if (!group.some((word) => token.split('|').some((part) => sameWord(part, word)))) continue;
      if (best === undefined || weight > this.weightOf(best)) best = token;
    }
    return best;
  }
}

/** The words of a label in comparable form: concepts joined by a bar if known, stems otherwise. */
export function labelTokens(text: string): readonly string[] {
  return plainWords(text)
    .filter((word) => !STOP.has(word) || CONCEPTS_OF.has(word))
    .flatMap(tokensOfWord);
}

/** The words of a field: its name weighs most, then title and description. */
export function fieldWords(name: string, description: string): FieldWords {
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of plainWords(text)) {
      if (STOP.has(word)) continue;
      for (const token of tokensOfWord(word)) {
        if (!words.has(token)) words.set(token, weight);
      }
    }
  };
  add(spacedName(name), 1);
  const isTold = Array.from(words.keys()).some((token) => !isName(token));
  for (const token of words.keys()) if (isTold && isName(token)) words.set(token, NAME_WEIGHT);
  add(description, 0.6);
  return new FieldWords(words);
}

/** Whether a token says only that a field is a name. */
function isName(token: string): boolean {
  return token === '=name';
}

/** How well a label names a field, from 0 to 1. */
export function similarity(label: readonly string[], field: FieldWords): number {
  if (label.length === 0 || field.size === 0) return 0;
  let [hits, said] = [0, 0];
  for (const token of new Set(label.map((word) => field.matching(word)))) {
    const weight = token === undefined ? 0 : field.weightOf(token);
    hits += weight;
    said += token !== undefined && isName(token) ? 1 : weight;
  }
  const recall = Math.min(1, hits / field.wanted);
  return recall * (0.5 + 0.5 * Math.min(1, said / label.length));
}

/** A property's name as words: `invoiceNumber` and `invoice_number` are `invoice number`. */
export function spacedName(name: string): string {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_\-.]+/g, ' ');
}

/** Equal, or one abbreviates the other. */
function sameWord(one: string, other: string): boolean {
  if (one === other) return true;
  if (/^[=~]/.test(one) || /^[=~]/.test(other)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (short.length >= SHORTEST_PREFIX && long.startsWith(short)) || areCognates(one, other);
}

function plainWords(text: string): readonly string[] {
  const plain = withoutAccents(text)
    .toLowerCase()
    .replace(/e-mail/g, 'email')
    .replace(/(?<!\p{L})c\.\s?(?:a\.\s?)?p\.(?!\p{L})/gu, ' postcode ')
    .replace(/(?<!\p{L})n\.?[º°o]\.?(?!\p{L})/gu, ' no ');
  return plain.match(/\p{L}+|[№#]/gu) ?? [];
}

function tokensOfWord(word: string): readonly string[] {
  const known =
    CONCEPTS_OF.get(word) ??
    CONCEPTS_OF.get(stemOf(word)) ??
    CONCEPTS_OF.get(word.replace(/(?<=\p{L}{3})s$/u, ''));
  if (known !== undefined) return [tokenOf(known)];
  return compoundTokens(word) ?? cognateTokens(word) ?? [stemOf(word)];
}

/** The token of a word; of one for an occupation, which may as well be a value, without the mark of words of labels. */
function tokenOf(concepts: readonly string[]): string {
  return concepts.map((concept) => (OCCUPATIONS.has(concept) ? `~${concept}` : `=${concept}`)).join('|');
}

/** The concepts of a word of another language that begins in the same way. */
function cognateTokens(word: string): readonly string[] | undefined {
  const cognate = cognateIn(KNOWN_WORDS, word);
  const concepts = cognate === undefined ? undefined : CONCEPTS_OF.get(cognate);
  return concepts && [tokenOf(concepts)];
}

/** Splits a German compound into its first and last known words. */
function compoundTokens(word: string): readonly string[] | undefined {
  if (word.length < 2 * SHORTEST_PART - 1) return undefined;
  const [, tail, end] = /^(.{3,})(nr|no)$/.exec(word) ?? [];
  // Many words of other languages end in -no.
  if (tail !== undefined && (end === 'nr' || CONCEPTS_OF.has(tail)))
    return [...tokensOfWord(tail), '=number'];
  const parts = [
    longestKnown(word, 0, (size) => word.slice(0, size)),
    longestKnown(word, 3, (size) => word.slice(-size)),
  ];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known;
}

/** The concepts of the longest known part that leaves at least `over` letters. */
function longestKnown(word: string, over: number, part: (size: number) => string): string | undefined {
  for (let size = word.length - over; size >= SHORTEST_PART; size--) {
    const concepts = CONCEPTS_OF.get(part(size));
    if (concepts !== undefined) return tokenOf(concepts);
  }
  return undefined;
}

function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|en|s)$/, '') : word;
}

/** The concepts of each known word. */
function readConcepts(): ReadonlyMap<string, readonly string[]> {
  const conceptsOf = new Map<string, string[]>();
  for (const [concept, words] of Object.entries(CONCEPTS)) {
    for (const word of new Set(words.split(' ')))
      conceptsOf.set(word, [...(conceptsOf.get(word) ?? []), concept]);
  }
  return conceptsOf;
}
