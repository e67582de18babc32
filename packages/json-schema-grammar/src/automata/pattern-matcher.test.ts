import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatternMatcher } from './pattern-matcher.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import { UnicodeProperties } from './unicode-properties.ts';

const properties = new UnicodeProperties();
const matcher = (pattern: string) => new PatternMatcher(pattern, properties);

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n', 'é', '😀'), maxLength: 7 });
const atoms = fc.constantFrom('a', 'b', '1', '.', '[ab]', '[^a]', '\\d', '\\W', '😀', '^', '$', '\\b', '\\B');
const quantifiers = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?');
const { pattern: patterns } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { maxLength: 3 }).map((parts) => parts.join('')),
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc
      .tuple(fc.constantFrom('(?:', '('), tie('pattern'), tie('pattern'), quantifiers)
      .map(([open, left, right, quantifier]) => `${open}${left}|${right})${quantifier}`),
    fc.tuple(fc.constantFrom('a', '.', '[ab]', '\\w'), quantifiers).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
      .map(([open, inner]) => `${open}${inner})`),
  ),
}));

describe('a pattern matcher', () => {
  it('agrees with RegExp, including lookarounds and word boundaries', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { maxLength: 12 }), (pattern, samples) => {
        const found = matcher(pattern);
        for (const text of samples)
          expect([pattern, text, found.test(text)]).toEqual([
            pattern,
            text,
            new RegExp(pattern, 'u').test(text),
          ]);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it.each([
    ['\\bcat\\b', ['a cat sat', 'cat'], ['concat', 'cats']],
    ['^(?:(?=[a-c])\\w)+$', ['abc'], ['abd', '']],
    ['(?<!-)\\d{3}$', ['a123', '0123'], ['-123']],
    ['(?<=^|,)x(?=,|$)', ['x', 'a,x,b'], ['ax', 'x-']],
    ['^\\p{Lu}\\p{Ll}+\\-$', ['Élan-'], ['élan-']],
    ['^(?:a|b)*a(?:a|b){20}$', [`a${'b'.repeat(20)}`], ['b'.repeat(21)]],
  ])('knows %s', (pattern, accepted, refused) => {
    for (const text of accepted) expect([text, matcher(pattern).test(text)]).toEqual([text, true]);
    for (const text of refused) expect([text, matcher(pattern).test(text)]).toEqual([text, false]);
  });

  it('finishes where a backtracking engine would not', () => {
    const text = `${'a'.repeat(5_000)}!`;
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '(a*)*b', '^(?=(a+)+$)', '(?<!(a+)+b)!$', '(x+x+)+y'])
      expect([pattern, matcher(pattern).test(text)]).toEqual([pattern, pattern === '(?<!(a+)+b)!$']);
  });

  it.each(['^(a+)+\\1b$', '(?<x>a)\\k<x>'])('refuses the back-reference in %s', (pattern) => {
    expect(() => matcher(pattern)).toThrow('a back-reference');
  });

  it.each(['(', '(a{1,999}){1,999}', '(?=(a{1,999}){1,999})'])('refuses %s', (pattern) => {
    expect(() => matcher(pattern)).toThrow(PatternUnsupported);
  });
});
