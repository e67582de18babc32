import { CONCEPTS } from './concepts.ts';
import { withoutAccents } from './month-names.ts';

/** What a field is called, as words that can be compared with a label: each counts once fully or in part. */
export type FieldWords = ReadonlyMap<string, number>;

const STOP: ReadonlySet<string> = new Set(
  (
    'the of a in is are was be whether what which who for and or with on by at as this that your our my der die das des dem den ein eine ' +
    'einer ist und oder mit im zum zur fur de la le el los las du d l y et o ou e con se es un una uno une al del di il lo da do dos em para ' +
    'pour por que qui makes there it its iso format yyyy mm dd string value text if any'
  ).split(' '),
);
const SHORTEST_PART = 4;
const SHORTEST_PREFIX = 4;

interface Lexicon {
  readonly conceptsOf: ReadonlyMap<string, readonly string[]>;
  readonly longWords: readonly string[];
}

const LEXICON = readLexicon();

/** The comparable words of a label as it stands in a text: concepts where they are known, stems otherwise. */
export function labelTokens(text: string): readonly string[] {
  return plainWords(text)
    .filter((word) => !STOP.has(word) || LEXICON.conceptsOf.has(word))
    .flatMap(tokensOfWord);
}

/** The comparable words of a field: its own name weighs most, then its title and description. */
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
  add(description, 0.6);
  return words;
}

/** How well a label names a field, from 0 to 1. */
export function similarity(label: readonly string[], field: FieldWords): number {
  if (label.length === 0 || field.size === 0) return 0;
  const groups = groupsOf(label);
  const matched = new Set<string>();
  let hits = 0;
  for (const group of groups) {
    const best = bestMatch(group, field);
    if (best === undefined) continue;
    hits += matched.has(best) ? 0 : (field.get(best) ?? 0);
    matched.add(best);
  }
  const wanted = Math.min(2, wordsWanted(field));
  const recall = Math.min(1, hits / wanted);
  return recall * (0.5 + 0.5 * Math.min(1, hits / groups.length));
}

/** A property's name as words: `invoiceNumber` and `invoice_number` are `invoice number`. */
export function spacedName(name: string): string {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_\-.]+/g, ' ');
}

/** One word may stand for several concepts; they come as one token, joined by a bar. */
function groupsOf(label: readonly string[]): readonly (readonly string[])[] {
  return label.map((token) => token.split('|'));
}

function wordsWanted(field: FieldWords): number {
  const full = Array.from(field.values()).filter((weight) => weight === 1).length;
  return Math.max(1, full);
}

function bestMatch(group: readonly string[], field: FieldWords): string | undefined {
  let best: string | undefined;
  for (const [token, weight] of field) {
    if (!group.some((word) => token.split('|').some((part) => sameWord(part, word)))) continue;
    if (best === undefined || weight > (field.get(best) ?? 0)) best = token;
  }
  return best;
}

/** Equal, or one the beginning of the other as in an abbreviation. */
function sameWord(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.startsWith('=') || other.startsWith('=')) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= SHORTEST_PREFIX && long.startsWith(short);
}

function plainWords(text: string): readonly string[] {
  const plain = withoutAccents(text)
    .toLowerCase()
    .replace(/e-mail/g, 'email')
    .replace(/n\.?[º°o]\.?(?!\p{L})/gu, ' no ');
  return plain.match(/\p{L}+|[№#]/gu) ?? [];
}

function tokensOfWord(word: string): readonly string[] {
  const known = LEXICON.conceptsOf.get(word) ?? LEXICON.conceptsOf.get(stemOf(word));
  if (known !== undefined) return [known.map((concept) => `=${concept}`).join('|')];
  return compoundTokens(word) ?? [stemOf(word)];
}

/** A German compound as its parts: the words it begins and ends with. */
function compoundTokens(word: string): readonly string[] | undefined {
  if (word.length < 2 * SHORTEST_PART - 1) return undefined;
  const tail = /^(.{3,})(?:nr|no)$/.exec(word)?.[1];
  if (tail !== undefined) return [...tokensOfWord(tail), '=number'];
  const head = LEXICON.longWords.find((known) => word.startsWith(known));
  const end = LEXICON.longWords.find((known) => word.endsWith(known) && word.length > known.length + 2);
  const parts = [head, end].flatMap((part) => (part === undefined ? [] : [tokenOf(part)]));
  return parts.length === 0 ? undefined : parts;
}

function tokenOf(known: string): string {
  return (LEXICON.conceptsOf.get(known) ?? []).map((concept) => `=${concept}`).join('|');
}

function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|en|s)$/, '') : word;
}

function readLexicon(): Lexicon {
  const conceptsOf = new Map<string, string[]>();
  for (const [concept, words] of Object.entries(CONCEPTS)) {
    for (const word of new Set(words.split(' ')))
      conceptsOf.set(word, [...(conceptsOf.get(word) ?? []), concept]);
  }
  const longWords = Array.from(conceptsOf.keys())
    .filter((word) => word.length >= SHORTEST_PART)
    .sort((one, other) => other.length - one.length);
  return { conceptsOf, longWords };
}
