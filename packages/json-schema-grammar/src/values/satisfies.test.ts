import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keywordCases } from '../../testing/keyword-cases.ts';
import { readingOf } from '../../testing/reading.ts';
import { schemas } from '../../testing/schema-arbitrary.ts';
import type { Json } from '../terms/json.ts';
import { createAjv } from '../validate-schema.ts';
import { PatternLibrary } from './pattern-library.ts';

const patterns = new PatternLibrary();

describe('the value judge', () => {
  it.each(keywordCases)('enforces $name', ({ schema, accepted, refused }) => {
    const { root, judge } = readingOf(schema as Json, patterns);
    const judged = (value: unknown) => judge.satisfies(value as Json, [root]);
    expect(accepted.filter((value) => !judged(value))).toEqual([]);
    expect(refused.filter(judged)).toEqual([]);
  });

  it('agrees with a validator on any fully supported schema', () => {
    const ajv = createAjv('2020-12');
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<Json>(null, true, 0, 1, -2, 1.5, '', 'a', 'b1', 'abc'),
        // Not empty: with prefixItems beside contains, Ajv wrongly accepts an empty array.
        fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    let judged = 0;
    fc.assert(
      fc.property(schemas, fc.array(value, { minLength: 5, maxLength: 5 }), (schema, samples) => {
        const { root, judge, remarks } = readingOf(schema as Json, patterns);
        const verdicts = samples.map((sample) => judge.satisfies(sample, [root]));
        if (remarks.unenforced.length + remarks.narrowed.length > 0) return;
        const validate = ajv.compile(schema as object);
        expect(verdicts).toEqual(samples.map((sample) => validate(sample)));
        judged += 1;
      }),
      { numRuns: 120, seed: 1 },
    );
    expect(judged).toBeGreaterThan(80);
  });

  it.each<[Json, number, boolean]>([
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 0.01 }, 19.99, true],
    [{ multipleOf: 0.1 }, 0.35, false],
    [{ not: { multipleOf: 0.1 } }, 0.3, false],
  ])('tolerates rounding of binary fractions: %j, %d is %s', (schema, number, isSatisfied) => {
    const { root, judge } = readingOf(schema);
    expect(judge.satisfies(number, [root])).toBe(isSatisfied);
  });

  it('counts characters, not UTF-16 units', () => {
    const { root, judge } = readingOf({ maxLength: 1 });
    expect([judge.satisfies('😀', [root]), judge.satisfies('é!', [root])]).toEqual([true, false]);
  });
});
