import { describe, expect, it } from 'vitest';
import { readingOf } from '../../testing/reading.ts';
import { MAX_LEAVES } from '../terms/budgets.ts';
import type { Json } from '../terms/json.ts';

function leavesOf(schema: Json) {
  const { root, leaves, remarks } = readingOf(schema);
  return { leaves: leaves.of([root]), remarks };
}

/** The paths of each leaf's facts. */
const placesOf = (schema: Json) => leavesOf(schema).leaves.map((leaf) => leaf.map(({ path }) => path));
const text = { type: 'string' };

describe('the leaves of a schema', () => {
  it('are one per alternative, with the facts beside it', () => {
    expect(placesOf({ minLength: 1, anyOf: [text, { enum: ['a', 1] }] })).toEqual([
      ['', '/anyOf/0'],
      ['', '/anyOf/1'],
    ]);
  });

  it('combine choices, without contradictions', () => {
    const schema = {
      allOf: [{ anyOf: [text, { type: 'number' }] }, { anyOf: [{ type: 'integer' }, { maxLength: 2 }] }],
    };
    expect(placesOf(schema)).toEqual([
      ['/allOf/0/anyOf/0', '/allOf/1/anyOf/1'],
      ['/allOf/0/anyOf/1', '/allOf/1/anyOf/0'],
      ['/allOf/0/anyOf/1', '/allOf/1/anyOf/1'],
    ]);
  });

  it.each<[string, Json]>([
    ['types', { allOf: [text, { type: 'number' }] }],
    ['values', { allOf: [{ enum: [1, 2] }, { const: 3 }] }],
    ['a value and its exclusion', { const: 3, not: { const: 3 } }],
    [
      'a property that must be there and cannot',
      {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: text } },
          { type: 'object', properties: { a: { type: 'number' } } },
        ],
      },
    ],
    [
      'a property that must be there and is not among the allowed',
      {
        allOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', additionalProperties: false },
        ],
      },
    ],
  ])('are none where %s contradict each other', (_what, schema) => {
    expect(placesOf(schema)).toEqual([]);
  });

  it('are found for recursive schemas', () => {
    expect(placesOf({ anyOf: [{ $ref: '#' }, text] })).toContainEqual(['/anyOf/1']);
    expect(placesOf({ allOf: [{ $ref: '#' }], ...text })).toEqual([['']]);
  });

  it('make the alternatives of oneOf exclusive, unless they already are', () => {
    expect(placesOf({ oneOf: [text, { type: 'number' }] })).toEqual([['/oneOf/0'], ['/oneOf/1']]);
    const overlapping = leavesOf({ oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] }).leaves;
    // An integer below five, or a non-integer from five on.
    expect(overlapping.map((leaf) => leaf.map(({ number }) => number ?? {}))).toEqual([
      [{}, { maximum: { value: 5, exclusive: true } }],
      [{ minimum: { value: 5, exclusive: false } }, { excludedDivisor: 1 }],
    ]);
  });

  it('are bounded, with a remark if some are dropped', () => {
    const choice = (maximum: number) => ({
      anyOf: [{ minimum: maximum }, { maximum }, { multipleOf: maximum + 2 }],
    });
    const { leaves, remarks } = leavesOf({
      type: 'number',
      allOf: Array.from({ length: 6 }, (_, at) => choice(at)),
    });
    expect(leaves).toHaveLength(MAX_LEAVES);
    expect(remarks.narrowed).toMatchObject([{ keyword: 'anyOf' }]);
  });
});
