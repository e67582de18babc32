import { describe, expect, it } from 'vitest';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { PatternLibrary } from './pattern-library.ts';

describe('the pattern library', () => {
  it('creates an automaton once while it is in use', () => {
    const library = new PatternLibrary();
    const first = library.lookUp('^often$');
    const seldom = library.lookUp('^seldom$');
    for (let other = 0; other < 250; other++) {
      library.lookUp(`^${other}$`);
      expect(library.lookUp('^often$')).toBe(first);
    }
    expect(library.lookUp('^seldom$')).not.toBe(seldom);
  });

  it('matches patterns without an automaton', () => {
    const library = new PatternLibrary();
    const lookaheads = '(?=.*\\d)(?=.*[a-z])(?=.*[A-Z])(?=.*_)x';
    const bounded = '\\bcat\\b';
    for (const [pattern, text, isFound] of [
      [lookaheads, 'x_aA1', true],
      [lookaheads, 'x_aA', false],
      [bounded, 'a cat.', true],
      [bounded, 'concat', false],
    ] as const) {
      expect([pattern, text, library.matches(pattern, text)]).toEqual([pattern, text, isFound]);
    }
  });

  it('refuses a pattern without a linear-time matcher, with its path and its beginning', () => {
    const library = new PatternLibrary();
    const long = `${'a'.repeat(200)}(b)\\1`;
    const refused = expect.objectContaining({
      name: 'SchemaRefused',
      reason: 'too-complex',
      path: '/pattern',
      message: expect.stringMatching(/^The pattern a{80}… is not matched/),
    });
    expect(() => library.lookUp(long, '/pattern')).toThrow(refused);
    // The cached refusal is thrown again.
    expect(() => library.matcher(long, '/pattern')).toThrow(refused);
  });

  it('caches number languages by all conditions', () => {
    const library = new PatternLibrary();
    const conditions = {
      isInteger: true,
      excluded: [],
      minimums: [],
      maximums: [],
      divisors: [2],
      excludedDivisors: [],
    };
    const even = library.numbers(conditions);
    expect(library.numbers({ ...conditions })).toBe(even);
    expect(library.numbers({ ...conditions, excluded: [4] })).not.toBe(even);
    expect(even.unsupported).not.toBeInstanceOf(PatternUnsupported);
  });
});
