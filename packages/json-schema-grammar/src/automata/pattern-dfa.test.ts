import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dfa, isEmptyLanguage, lengthDfa, testDfa } from './dfa.ts';
import { complement, intersect, unite } from './dfa-algebra.ts';
import { lengthBounds } from './length-bounds.ts';
import { literalDfa } from './literal-dfa.ts';
import { minimise } from './minimise.ts';
import { patternDfa } from './pattern-dfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import { UnicodeProperties } from './unicode-properties.ts';

const properties = new UnicodeProperties();
const compile = (pattern: string) => patternDfa(pattern, properties);

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n', 'é', '😀'), maxLength: 7 });
const atoms = fc.constantFrom(
  'a',
  'b',
  '1',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\D',
  '[a-z1-]',
  '😀',
  '^',
  '$',
);
const repeatable = fc.constantFrom('a', 'b', '1', '.', '[ab]', '[^a]', '\\d', '\\W');
const quantifiers = fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?');
const quantified = fc.tuple(repeatable, quantifiers).map((parts) => parts.join(''));
const simple = fc.array(fc.oneof(atoms, quantified), { maxLength: 3 }).map((parts) => parts.join(''));
const groups = fc
  .tuple(simple, simple, fc.constantFrom('', '*', '+', '?', '{0,2}'))
  .map(([left, right, quantifier]) => `(?:${left}|${right})${quantifier}`);
const patterns = fc
  .array(fc.oneof(atoms, quantified, groups), { maxLength: 3 })
  .map((parts) => parts.join(''));

describe('the automaton of a pattern', () => {
  it('accepts exactly the texts in which the RegExp is found', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { maxLength: 12 }), (pattern, samples) => {
        const dfa = compile(pattern);
        for (const text of samples)
          expect([text, testDfa(dfa, text)]).toEqual([text, new RegExp(pattern, 'u').test(text)]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('matches lookaheads outside repetitions like RegExp', () => {
    const lookaheads = fc
      .tuple(fc.constantFrom('(?=', '(?!'), patterns)
      .map(([opening, inner]) => `${opening}${inner})`);
    const shape = fc.tuple(
      fc.constantFrom('', '^', 'a', 'a|^'),
      lookaheads,
      patterns,
      fc.option(lookaheads, { nil: '' }),
    );
    fc.assert(
      fc.property(shape, fc.array(texts, { maxLength: 12 }), (parts, samples) => {
        const pattern = parts.join('');
        let dfa: Dfa;
        try {
          dfa = compile(pattern);
        } catch (error) {
          if (error instanceof PatternUnsupported) return;
          throw error;
        }
        for (const text of samples)
          expect([text, testDfa(dfa, text)]).toEqual([text, new RegExp(pattern, 'u').test(text)]);
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  it.each([
    ['^(?=.*\\d)(?=.*[a-z]).{4,}$', ['abc1', '1abcd'], ['abcd', 'a1', '1234']],
    ['^(?!foo$|bar$).*$', ['foo1', '', 'fo'], ['foo', 'bar']],
    ['^[a-z]+(?!-)$', ['abc'], ['abc-', '']],
    ['(?=^.{2,3}$)a', ['ab', 'aba'], ['a', 'bba', 'abcd']],
    ['^\\p{Lu}\\p{Ll}+$', ['Élan'], ['élan', 'E']],
    ['^[\\w-.]+$', ['a-b.c'], ['a b']],
    ['^\\u{1F600}\\uD83D\\uDE00$', ['😀😀'], ['😀']],
    ['^\\cJ\\x41\\u0042[\\b]$', ['\nAB\b'], ['JAB\b']],
  ])('knows %s', (pattern, accepted, refused) => {
    const dfa = compile(pattern);
    for (const text of accepted) expect([text, testDfa(dfa, text)]).toEqual([text, true]);
    for (const text of refused) expect([text, testDfa(dfa, text)]).toEqual([text, false]);
  });

  it.each([
    '(a)\\1',
    '(?<=a)b',
    '\\bword\\b',
    '^(?:(?=a)a)*$',
    '(',
    '(a{1,999}){1,999}',
    '(?:a|b)*a(?:a|b){20}',
  ])('is refused for %s', (pattern) => {
    expect(() => compile(pattern)).toThrow(PatternUnsupported);
  });
});

describe('the algebra of automata', () => {
  it('intersects, unites and complements languages', () => {
    fc.assert(
      fc.property(patterns, patterns, fc.array(texts, { maxLength: 12 }), (left, right, samples) => {
        const [a, b] = [compile(left), compile(right)];
        const [both, either, neither] = [intersect(a, b), unite(a, b), complement(unite(a, b))];
        for (const text of samples) {
          const [inA, inB] = [testDfa(a, text), testDfa(b, text)];
          expect(testDfa(both, text)).toBe(inA && inB);
          expect(testDfa(either, text)).toBe(inA || inB);
          expect(testDfa(neither, text)).toBe(!inA && !inB);
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('finds a language and its complement disjoint', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        const dfa = compile(pattern);
        expect(isEmptyLanguage(intersect(dfa, complement(dfa)))).toBe(true);
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('minimises equivalent patterns to the same number of states', () => {
    const size = (dfa: Dfa) => dfa.transitions.length;
    expect(size(compile('^(ab|ac|ad)$'))).toBe(size(compile('^a[bcd]$')));
    expect(size(compile('^(a|b)*(a|b)*$'))).toBe(1);
    expect(size(compile('^a{3,5}$'))).toBe(6);
    const minimal = compile('^(?:ab)*c$');
    expect(size(minimise(complement(complement(minimal))))).toBe(size(minimal));
  });
});

describe('small languages', () => {
  it('accept the literal texts and no others', () => {
    const dfa = literalDfa(['red', 'green', '', 'grün']);
    for (const text of ['red', 'green', '', 'grün']) expect(testDfa(dfa, text)).toBe(true);
    for (const text of ['re', 'redd', 'grun']) expect(testDfa(dfa, text)).toBe(false);
  });

  it('count characters, not UTF-16 units', () => {
    expect(testDfa(lengthDfa(2, 2), '😀😀')).toBe(true);
    expect(testDfa(lengthDfa(2, Infinity), '😀')).toBe(false);
  });

  it.each([
    ['^ab?c*$', 1, Infinity],
    ['^a(b|cd)$', 2, 3],
    ['^$', 0, 0],
    ['^a{2,9}b?$', 2, 10],
  ])('know the bounds of %s', (pattern, shortest, longest) => {
    const dfa = compile(pattern);
    const bounds = lengthBounds(dfa);
    expect([bounds.shortest[dfa.start], bounds.longest[dfa.start]]).toEqual([shortest, longest]);
  });
});
