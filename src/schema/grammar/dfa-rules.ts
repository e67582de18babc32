import { type CharacterSet, characterSet, complementSet, intersectSets } from '../automata/character-set.ts';
import { charactersByTarget, type Dfa } from '../automata/dfa.ts';
import {
  type Alternative,
  characters,
  type GrammarBuilder,
  type GrammarSymbol,
  repeated,
  rule,
  text,
} from './grammar-builder.ts';

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

/** How the rules of an automaton are written. */
interface DfaRuleOptions {
  /** Inside a string, characters are written as JSON escapes them. */
  readonly inString: boolean;
  /** How often a state may lead back to itself. */
  readonly maxLoops?: number;
}

/** The rules of an automaton, one or two per state; returns the first. */
export function addDfaRules(grammar: GrammarBuilder, dfa: Dfa, options: DfaRuleOptions): string {
  const { inString, maxLoops = Infinity } = options;
  const prefix = inString ? 'text' : 'digits';
  const names = dfa.transitions.map(() => grammar.reserve(prefix));
  dfa.transitions.forEach((transitions, state) => {
    const targets = charactersByTarget(transitions);
    const name = names[state] ?? '';
    const loop = maxLoops === Infinity ? undefined : targets.get(state);
    const alternatives: Alternative[] = [];
    for (const [target, set] of targets) {
      if (target === state && loop) continue;
      const next = rule(names[target] ?? '');
      alternatives.push(...readings(set, options).map((reading) => [reading, next]));
    }
    if (dfa.accepting[state]) alternatives.push([]);
    // What loops is never what leads on, so the repetition ends in one way only.
    const looped = loop && repeated(loopRule(grammar, loop, options), 0, maxLoops);
    grammar.define(name, looped ? [[looped, rule(grammar.add(prefix, alternatives))]] : alternatives);
  });
  return names[dfa.start] ?? '';
}

function loopRule(grammar: GrammarBuilder, set: CharacterSet, options: DfaRuleOptions): string {
  return grammar.share(`loop ${options.inString} ${JSON.stringify(set)}`, () =>
    grammar.add(
      'loop',
      readings(set, options).map((reading) => [reading]),
    ),
  );
}

/** The ways to write one character of the set. */
function readings(set: CharacterSet, { inString }: DfaRuleOptions): readonly GrammarSymbol[] {
  if (!inString) return [characters(set)];
  const plain = intersectSets(set, PLAIN_CHARACTERS);
  return [...(plain.length > 0 ? [characters(plain)] : []), ...escapesIn(set).map(text)];
}

function escapesIn(set: CharacterSet): readonly string[] {
  return [...ESCAPES]
    .filter(([codePoint]) => set.some(({ low, high }) => low <= codePoint && codePoint <= high))
    .map(([, sequence]) => sequence);
}
