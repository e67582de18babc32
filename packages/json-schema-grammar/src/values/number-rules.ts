import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, rule } from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import type { NumberFacts } from '../normalise/schema-node.ts';
import type { NumberConditions, UnsupportedNumbers } from '../numbers/number-language.ts';
import type { Compilation } from './compilation.ts';

/** Alternatives for the numbers, or only the integers, that satisfy the leaf. */
export function numberAlternatives(
  leaf: Leaf,
  { isInteger }: { readonly isInteger: boolean },
  { grammar, builtin, patterns, remarks }: Compilation,
): readonly Alternative[] {
  const facts = leaf.flatMap(({ number }) => number ?? []);
  const excluded = leaf
    .flatMap(({ excludedValues }) => excludedValues ?? [])
    .filter((value) => typeof value === 'number');
  if (facts.length === 0 && excluded.length === 0) {
    return [[rule(isInteger ? builtin.integer : builtin.number)]];
  }
  const conditions: NumberConditions = {
    isInteger,
    excluded,
    minimums: facts.flatMap(({ minimum }) => minimum ?? []),
    maximums: facts.flatMap(({ maximum }) => maximum ?? []),
    divisors: facts.flatMap(({ multipleOf }) => multipleOf ?? []),
    excludedDivisors: facts.flatMap(({ excludedDivisor }) => excludedDivisor ?? []),
  };
  const name = grammar.share(`number ${JSON.stringify(conditions)}`, () => {
    const { dfa, unsupported } = patterns.numbers(conditions);
    if (unsupported) {
      const { keyword, reason } = unsupported;
      const path = leaf.find(({ number }) => number !== undefined && isAbout(number, keyword))?.path ?? '';
      remarks.leave({ path, keyword, message: `Not enforced: ${reason.message}.` });
    }
    return addDfaRules(grammar, dfa, { writing: 'plain' });
  });
  return [[rule(name)]];
}

function isAbout(facts: NumberFacts, keyword: UnsupportedNumbers['keyword']): boolean {
  const said =
    keyword === 'minimum' ? (facts.minimum ?? facts.maximum) : (facts.multipleOf ?? facts.excludedDivisor);
  return said !== undefined;
}
