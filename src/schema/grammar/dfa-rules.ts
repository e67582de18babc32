import { type CharacterSet, characterSet, complementSet, intersectSets } from '../automata/character-set.ts';
import { charactersByTarget, type Dfa } from '../automata/dfa.ts';
import { type Alternative, characters, type GrammarBuilder, rule, text } from './grammar-builder.ts';

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

/** The rules of an automaton, one per state; returns the first. With `inString`, characters are written as JSON escapes them. */
export function addDfaRules(
  grammar: GrammarBuilder,
  dfa: Dfa,
  { inString }: { readonly inString: boolean },
): string {
  const names = dfa.transitions.map(() => grammar.reserve(inString ? 'text' : 'digits'));
  dfa.transitions.forEach((transitions, state) => {
    const alternatives: Alternative[] = [];
    for (const [target, set] of charactersByTarget(transitions)) {
      const next = rule(names[target] ?? '');
      const plain = inString ? intersectSets(set, PLAIN_CHARACTERS) : set;
      if (plain.length > 0) alternatives.push([characters(plain), next]);
      if (inString) alternatives.push(...escapesIn(set).map((sequence) => [text(sequence), next]));
    }
    if (dfa.accepting[state]) alternatives.push([]);
    grammar.define(names[state] ?? '', alternatives);
  });
  return names[dfa.start] ?? '';
}

function escapesIn(set: CharacterSet): readonly string[] {
  return [...ESCAPES]
    .filter(([codePoint]) => set.some(({ low, high }) => low <= codePoint && codePoint <= high))
    .map(([, sequence]) => sequence);
}
