import {
  type CharacterRange,
  type CharacterSet,
  characterSet,
  complementSet,
  intersectSets,
} from '../automata/character-set.ts';
import { characters, type GrammarBuilder, type GrammarSymbol, rule, text } from './grammar-builder.ts';

/** Inside a JSON string characters are written as JSON escapes them, elsewhere as they are. */
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

/** The characters that stand for themselves inside a JSON string. */
export const PLAIN_CHARACTERS: CharacterSet = complementSet(
  characterSet([
    { low: 0, high: 0x1f },
    { low: 0x22, high: 0x22 },
    { low: 0x5c, high: 0x5c },
    { low: 0xd800, high: 0xdfff },
  ]),
);

/** One character of the set; where it can be written in several ways, by a rule that all its users share. */
export function characterSymbol(grammar: GrammarBuilder, set: CharacterSet, writing: Writing): GrammarSymbol {
  const [first] = set;
  // A text, so that characters one after the other become a word.
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

/** Names a set by its members. */
export function keyOfSet(set: CharacterSet): string {
  let key = '';
  for (const { low, high } of set) key += `${low}-${high},`;
  return key;
}

/** Whether a range stays between the characters that are escaped. */
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
