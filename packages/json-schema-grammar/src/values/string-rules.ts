import type { Dfa } from '../automata/dfa.ts';
import { lengthBounds, loopsInPlace } from '../automata/length-bounds.ts';
import { loopNest } from '../automata/loop-nest.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, type RuleId, repeated, rule, text } from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { MAX_REPETITION } from '../terms/budgets.ts';
import type { Compilation } from './compilation.ts';
import { isEmpty, type StringLanguage } from './string-language.ts';

/** Above this product of states and length, lengths are not enforced. */
const MAX_COUNTED_STATES = 8_000;
/** The fraction of the remaining rules that one string may use. */
const ROOM_FRACTION = 1 / 8;
/** For patterns with loops of several states: most characters beyond the shortest text while lengths are enforced. */
const LOOPING_EXCESS = 90;

/** Alternatives for the strings that satisfy the leaf. */
export function stringAlternatives(leaf: Leaf, compilation: Compilation): readonly Alternative[] {
  const { grammar, strings, builtin } = compilation;
  const spoken = leaf.filter(({ string, excludedValues }) => string || excludedValues);
  if (spoken.length === 0) return [[rule(builtin.string)]];
  const key = `string ${JSON.stringify(spoken.map(({ string, excludedValues }) => [string, excludedValues]))}`;
  const name = grammar.share(key, () => {
    const language = strings.of(spoken);
    if (isEmpty(language)) return grammar.add('string', []);
    return language.shape
      ? shapedRule(language.shape, language, { leaf, compilation })
      : plainRule(language, { leaf, compilation });
  });
  return [[rule(name)]];
}

interface RuleContext {
  readonly leaf: Leaf;
  readonly compilation: Compilation;
}

function plainRule({ minLength, maxLength }: StringLanguage, { leaf, compilation }: RuleContext): RuleId {
  const { grammar, builtin, caps, remarks } = compilation;
  if (minLength === 0 && maxLength >= caps.stringLength) return builtin.string;
  const min = Math.min(minLength, MAX_REPETITION);
  if (min < minLength) {
    const message = `Only ${MAX_REPETITION} characters are asked for.`;
    remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'minLength', message });
  }
  const max = Math.min(maxLength, Math.max(caps.stringLength, min));
  return grammar.add('string', [[text('"'), repeated(builtin.character, min, max), text('"')]]);
}

function shapedRule(shape: Dfa, language: StringLanguage, { leaf, compilation }: RuleContext): RuleId {
  const { grammar, remarks, caps } = compilation;
  // A fraction of what is left: with many such strings, lengths are given up before the grammar becomes too large.
  const room = Math.min(MAX_COUNTED_STATES, Math.floor(grammar.room * ROOM_FRACTION));
  const length = countedLength(shape, language, room);
  if (!length) {
    const message = 'The length is not enforced together with the pattern: it is too long to be counted.';
    remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'maxLength', message });
  }
  const first = addDfaRules(grammar, shape, {
    writing: 'in-string',
    maxLoops: caps.patternLength,
    maxRounds: caps.patternLength,
    ...length,
  });
  return grammar.add('string', [[text('"'), rule(first), text('"')]]);
}

/**
 * The length bounds to enforce by counting: none that the pattern implies; undefined if they need too many states.
 * If the pattern has loops whose rounds are not bounded, a length bound is added so that texts end.
 */
function countedLength(
  shape: Dfa,
  { minLength, maxLength }: StringLanguage,
  room: number,
): { minLength?: number; maxLength?: number } | undefined {
  const isAsked = minLength > 0 || maxLength < Infinity;
  const ends = maxLength < Infinity || loopNest(shape).isWhole;
  if (!isAsked && ends) return {};
  const bounds = lengthBounds(shape);
  const [shortest = 0, longest = Infinity] = [bounds.shortest[shape.start], bounds.longest[shape.start]];
  if (ends && minLength <= shortest && maxLength >= longest) return {};
  const enough = loopsInPlace(shape) ? MAX_REPETITION : Math.max(shortest, minLength) + LOOPING_EXCESS;
  const most = ends ? maxLength : enough;
  const last = most === Infinity ? minLength : Math.min(most, enough, MAX_REPETITION);
  if (minLength > last || last * shape.transitions.length > room) return isAsked ? undefined : {};
  return { minLength, maxLength: most === Infinity ? Infinity : last };
}
