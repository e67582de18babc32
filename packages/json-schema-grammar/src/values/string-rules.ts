import type { Dfa } from '../automata/dfa.ts';
import { lengthBounds, loopsInPlace } from '../automata/length-bounds.ts';
import { loopNest } from '../automata/loop-nest.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, type RuleId, repeated, rule, text } from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { MAX_REPETITION } from '../terms/budgets.ts';
import type { Compilation } from './compilation.ts';
import { isEmpty, type StringLanguage } from './string-language.ts';

/** Above this product of states and length, characters are not counted. */
const MAX_COUNTED_STATES = 8_000;
/** How much of the rules that are left one string may take. */
const ROOM_FRACTION = 1 / 8;
/** How much longer than need be a text may be that is counted while its pattern loops through several states. */
const LOOPING_EXCESS = 90;

/** The strings that satisfy the facts. */
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
  // Always a part of what is left, so that many such strings lose their counting before the grammar its place.
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
 * The asked lengths, as far as the pattern does not keep them by itself; undefined where there are too many to be counted.
 * Where the pattern has loops that are not counted in rounds, the length is what makes a text end.
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
