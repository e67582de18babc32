import { describe, expect, it } from 'vitest';
import { readingOf } from '../../testing/reading.ts';
import type { Json } from '../terms/json.ts';
import { PatternLibrary } from '../values/pattern-library.ts';

const patterns = new PatternLibrary();

const values: readonly Json[] = [
  ...[null, true, 0, 1, -2, 1.5, 6, 7, '', 'a', 'b1', 'abc', [], [1], [1, 2, 3]],
  ...[{}, { a: 1 }, { a: 'x' }, { b: 1 }, { a: 1, b: 'x' }, { a: 'x', b: 'y', c: 1 }],
];

describe('the negation of a schema', () => {
  it.each<Json>([
    true,
    false,
    { type: 'string' },
    { type: ['integer', 'null'] },
    { type: ['number', 'object'] },
    { enum: [1, 'a', { a: 1 }] },
    { not: { const: 7 } },
    { type: 'string', pattern: '^a', maxLength: 2 },
    { minLength: 1, minItems: 1, minProperties: 1 },
    { minimum: 1, exclusiveMaximum: 7, multipleOf: 1.5 },
    { maxItems: 2, maxProperties: 2 },
    { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } },
    { properties: { a: { not: { type: 'string' } } } },
    { anyOf: [{ type: 'string' }, { minimum: 2 }] },
    { allOf: [{ type: 'number' }, { not: { multipleOf: 2 } }] },
    { $ref: '#/$defs/number', $defs: { number: { type: 'number' } } },
  ])('of %j accepts exactly the values that the schema rejects', (schema) => {
    const { root, reader, judge } = readingOf(schema, patterns);
    const negation = reader.negator.negation(root);
    const judged = values.map((value) => [value, judge.satisfies(value, [root])]);
    expect(negation && values.map((value) => [value, !judge.satisfies(value, [negation])])).toEqual(judged);
  });

  it.each<Json>([
    { items: { type: 'string' } },
    { contains: { type: 'string' } },
    { uniqueItems: true },
    { format: 'date' },
    { additionalProperties: false },
    { patternProperties: { a: true } },
    { oneOf: [{ type: 'string' }] },
    { properties: { next: { $ref: '#' } } },
  ])('of %j is undefined', (schema) => {
    const { root, reader } = readingOf(schema, patterns);
    expect(reader.negator.negate(root)).toBeUndefined();
  });

  it('is undefined if it would have too many alternatives', () => {
    const pairs = Array.from({ length: 7 }, (_, at) => ({ minimum: at, maximum: at + 2 }));
    const { root, reader } = readingOf({ anyOf: pairs }, patterns);
    expect(reader.negator.negate(root)).toBeUndefined();
  });
});
