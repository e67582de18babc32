import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../../testing/gbnf-grammar.ts';
import { GbnfMatcher } from '../../testing/gbnf-matcher.ts';
import { noDeadline } from '../../testing/reading.ts';
import { finishGrammar } from '../grammar/finish-grammar.ts';
import { GrammarBuilder } from '../grammar/grammar-builder.ts';
import { OtherKeys } from './other-keys.ts';

function matcherFor(names: readonly string[], maxLength = 10): GbnfMatcher {
  const grammar = new GrammarBuilder(noDeadline);
  return new GbnfMatcher(
    parseGbnf(finishGrammar(grammar.rules, new OtherKeys(grammar, maxLength).ruleFor(names))),
  );
}

describe('other keys', () => {
  it('are all keys except the names', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', 'é', '\n', '😀'), maxLength: 4 });
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 4 }), fc.array(key, { maxLength: 8 }), (names, keys) => {
        const matcher = matcherFor(names);
        for (const each of [...keys, ...names]) {
          expect([names, each, matcher.matches(JSON.stringify(each))]).toEqual([
            names,
            each,
            !names.includes(each),
          ]);
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('are bounded in length', () => {
    const matcher = matcherFor(['name'], 3);
    expect([matcher.matches('"namesake"'), matcher.matches('"namesakes"')]).toEqual([true, false]);
  });

  it('of two objects share common rules', () => {
    const grammar = new GrammarBuilder(noDeadline);
    const keys = new OtherKeys(grammar, 10);
    const first = keys.ruleFor(['id', 'name']);
    const before = grammar.rules.length;
    expect(keys.ruleFor(['id', 'name'])).toBe(first);
    expect(grammar.rules.length).toBe(before);
  });
});
