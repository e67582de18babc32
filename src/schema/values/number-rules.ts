import { complement, intersect } from '../automata/dfa-algebra.ts';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, rule } from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import type { NumberFacts } from '../normalise/schema-node.ts';
import { multiplesDfa } from '../numbers/multiples.ts';
import {
  decimalDfa,
  excludeNumbers,
  integerDfa,
  type NumberBound,
  type NumberRange,
} from '../numbers/number-dfa.ts';
import type { Compilation } from './compilation.ts';
import { attempt } from './pattern-library.ts';

/** The numbers, or only the integers, that satisfy the facts. */
export function numberAlternatives(
  leaf: Leaf,
  { isInteger }: { readonly isInteger: boolean },
  compilation: Compilation,
): readonly Alternative[] {
  const { grammar, builtin } = compilation;
  const facts = leaf.flatMap(({ number }) => number ?? []);
  const excluded = leaf
    .flatMap(({ excludedValues }) => excludedValues ?? [])
    .filter((value) => typeof value === 'number');
  if (facts.length === 0 && excluded.length === 0)
    return [[rule(isInteger ? builtin.integer : builtin.number)]];
  const key = `number ${JSON.stringify([isInteger, facts, excluded])}`;
  const name = grammar.share(key, () => {
    const range = rangeOf(facts);
    let dfa = excludeNumbers(isInteger ? integerDfa(range) : decimalDfa(range), excluded);
    if (facts.some(({ isFractional }) => isFractional)) dfa = intersect(dfa, complement(multiplesDfa(1)));
    for (const divisor of facts.flatMap(({ multipleOf }) => multipleOf ?? [])) {
      if (isInteger && Number.isInteger(1 / divisor)) continue;
      const multiples = attempt(() => intersect(dfa, multiplesDfa(divisor)));
      if (multiples instanceof PatternUnsupported) leaveMultiple(leaf, divisor, compilation);
      else dfa = multiples;
    }
    return addDfaRules(grammar, dfa, { inString: false });
  });
  return [[rule(name)]];
}

function leaveMultiple(leaf: Leaf, divisor: number, { remarks }: Compilation): void {
  const path = leaf.find(({ number }) => number?.multipleOf === divisor)?.path ?? '';
  remarks.leave({ path, keyword: 'multipleOf', message: `Multiples of ${divisor} are not enforced.` });
}

function rangeOf(facts: readonly NumberFacts[]): NumberRange {
  return {
    minimum: tightest(
      facts.flatMap(({ minimum }) => minimum ?? []),
      (a, b) => a > b,
    ),
    maximum: tightest(
      facts.flatMap(({ maximum }) => maximum ?? []),
      (a, b) => a < b,
    ),
  };
}

function tightest(
  bounds: readonly NumberBound[],
  isTighter: (value: number, other: number) => boolean,
): NumberBound | undefined {
  return bounds.reduce<NumberBound | undefined>((best, bound) => {
    if (!best || isTighter(bound.value, best.value)) return bound;
    return bound.value === best.value && bound.exclusive ? bound : best;
  }, undefined);
}
