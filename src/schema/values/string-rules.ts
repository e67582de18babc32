import { type Dfa, lengthDfa } from '../automata/dfa.ts';
import { intersect } from '../automata/dfa-algebra.ts';
import { lengthBounds } from '../automata/length-bounds.ts';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, repeated, rule, text } from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { MAX_REPETITION } from '../terms/budgets.ts';
import type { Compilation } from './compilation.ts';
import { attempt } from './pattern-library.ts';
import { isEmpty, type StringLanguage } from './string-language.ts';

/** Above this product of states and length, characters are not counted. */
const MAX_COUNTED_STATES = 12_000;
/** The same where nothing but the cap asks for it. */
const MAX_CAPPED_STATES = 2_000;
/** How much longer than need be a text is whose pattern loops through several states. */
const CAPPED_EXCESS = 80;

/** The strings that satisfy the facts. */
export function stringAlternatives(leaf: Leaf, compilation: Compilation): readonly Alternative[] {
  const { grammar, strings } = compilation;
  const spoken = leaf.filter(({ string, excludedValues }) => string || excludedValues);
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

interface Place {
  readonly leaf: Leaf;
  readonly compilation: Compilation;
}

function plainRule({ minLength, maxLength }: StringLanguage, { leaf, compilation }: Place): string {
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

function shapedRule(shape: Dfa, language: StringLanguage, { leaf, compilation }: Place): string {
  const { grammar, remarks, caps } = compilation;
  const counted = countCharacters(shape, language);
  if (counted instanceof PatternUnsupported) {
    const message = `The length is not enforced together with the pattern: ${counted.message}.`;
    remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'maxLength', message });
  }
  const dfa = counted instanceof PatternUnsupported ? shape : counted;
  const first = addDfaRules(grammar, dfa, { inString: true, maxLoops: caps.patternLength });
  return grammar.add('string', [[text('"'), rule(first), text('"')]]);
}

/**
 * The shape within the asked lengths. Where it could go on for ever by a loop of several states it is also
 * cut at the cap, if that is cheap; a loop of one state is cut when its rule is written.
 */
function countCharacters(shape: Dfa, { minLength, maxLength }: StringLanguage): Dfa | PatternUnsupported {
  const { shortest, longest, loopsInPlace } = lengthBounds(shape);
  const states = shape.transitions.length;
  const isEndless = longest === Infinity && maxLength === Infinity && !loopsInPlace;
  const cap = Math.max(shortest, minLength) + CAPPED_EXCESS;
  const canCap = states * cap <= MAX_CAPPED_STATES;
  const max = isEndless && canCap ? cap : maxLength;
  if (shortest >= minLength && longest <= max) return shape;
  const lastCounted = max === Infinity ? minLength : max;
  if (lastCounted > MAX_REPETITION || lastCounted * states > MAX_COUNTED_STATES) {
    return new PatternUnsupported('it is too long to be counted');
  }
  return attempt(() => intersect(shape, lengthDfa(minLength, max)));
}
