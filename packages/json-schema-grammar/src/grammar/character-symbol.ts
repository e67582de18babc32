import {
  type CharacterRange,
  type CharacterSet,
  characterSet,
  complementSet,
  intersectSets,
} from '../automata/character-set.ts';
import { characters, type GrammarBuilder, type GrammarSymbol, rule, text } from './grammar-builder.ts';

/** Whether characters are written with JSON escapes or as they are. */
export type Writing = 'in-string' | 'plain';

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** The characters that need no escape in a JSON string. */
export const PLAIN_CHARACTERS: CharacterSet = complementSet(
  characterSet([
    { low: 0, high: 0x1f },
    { low: 0x22, high: 0x22 },
    { low: 0x5c, high: 0x5c },
    { low: 0xd800, high: 0xdfff },
  ]),
);

/** A symbol for one character of the set; a shared rule if it has several spellings. */
export function characterSymbol(grammar: GrammarBuilder, set: CharacterSet, writing: Writing): GrammarSymbol {
  const [first] = set;
  // As a text, which is merged with its neighbours.
  if (first && set.length === 1 && first.low === first.high && isPlain(first)) {
    return text(String.fromCodePoint(first.low));
  }
  if (writing === 'plain' || set.every(isPlain)) return characters(set);
  return grammar.shareSymbol(keyOfSet(set), () => {
    const found = readings(set);
    const [only] = found;
    if (only && found.length === 1) return only;
    const alternatives = found.map((reading) => [reading]);
    return rule(grammar.add('set', alternatives));
  });
}

/** A key for a set. */
export function keyOfSet(set: CharacterSet): string {
  let key = '';
  for (const { low, high } of set) key += `${low}-${high},`;
  return key;
}

/** Whether no character of the range needs an escape. */
function isPlain({ low, high }: CharacterRange): boolean {
  return PLAIN_CHARACTERS.some((plain) => plain.low <= low && high <= plain.high);
}

function readings(set: CharacterSet): readonly GrammarSymbol[] {
  const plain = intersectSets(set, PLAIN_CHARACTERS);
  const escapes = [...ESCAPES].filter(([codePoint]) => holds(set, codePoint));
  return [...(plain.length > 0 ? [characters(plain)] : []), ...escapes.map(([, sequence]) => text(sequence))];
}

function holds(set: CharacterSet, codePoint: number): boolean {
  return set.some(({ low, high }) => low <= codePoint && codePoint <= high);
}
