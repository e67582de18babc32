import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../../testing/gbnf-grammar.ts';
import { GbnfMatcher } from '../../testing/gbnf-matcher.ts';
import { compileSchema } from '../compile-schema.ts';
import type { Caps } from '../terms/budgets.ts';
import { SchemaValidator } from '../validate-schema.ts';

const validator = new SchemaValidator();
const matcherOf = (schema: unknown, caps: Partial<Caps> = {}) =>
  new GbnfMatcher(parseGbnf(compileSchema(schema, { validator, caps }).grammar));

/** Every text of these letters up to the length. */
function textsOf(letters: string, maxLength: number): readonly string[] {
  const texts = [''];
  for (const text of texts) {
    if (text.length < maxLength) texts.push(...[...letters].map((letter) => text + letter));
  }
  return texts;
}

describe('the rules of a pattern that loops', () => {
  it.each([
    ['^a(b+a)*$', 'one loop, entered at its head'],
    ['^(ab)*a?$', 'one loop that may be left anywhere'],
    ['^c?(a|bc)*$', 'one loop with paths of different lengths'],
    ['^((ab)*c)*$', 'a loop inside a loop'],
    ['^(a(b(ca)*b)*c)*$', 'loops three deep'],
    ['^(a(b(c(ab)*c)*b)*c)*$', 'loops too deep to be bounded'],
    ['abac', 'a search that restarts halfway'],
    ['ab|ca|bb', 'a search for one of several'],
    ['^(?!.*aa).*b', 'a search with something forbidden'],
  ])('generate the texts of %s: %s', (pattern) => {
    const matcher = matcherOf({ type: 'string', pattern });
    const regex = new RegExp(pattern, 'u');
    const texts = textsOf('abc', 6);
    expect(texts.filter((text) => matcher.matches(`"${text}"`))).toEqual(
      texts.filter((text) => regex.test(text)),
    );
  });

  it('enforce a length as well', () => {
    const matcher = matcherOf({ type: 'string', pattern: '^(a|bc)*$', minLength: 3 });
    const texts = textsOf('abc', 6).filter((text) => matcher.matches(`"${text}"`));
    expect(texts).toEqual(textsOf('abc', 6).filter((text) => text.length > 2 && /^(a|bc)*$/.test(text)));
  });

  it('allow the maximum number of rounds and no more', () => {
    const matcher = matcherOf({ type: 'string', pattern: '^(ab)*$' }, { patternLength: 4 });
    expect([3, 4, 5].map((rounds) => matcher.matches(`"${'ab'.repeat(rounds)}"`))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are built for keys, where every state may accept', () => {
    const matcher = matcherOf({ patternProperties: { '^(ab)*a?$': {} }, additionalProperties: false });
    expect(['aba', 'abb'].map((key) => matcher.matches(`{"${key}":1}`))).toEqual([true, false]);
  });
});
