import { describe, expect, it } from 'vitest';
import { readingOf } from '../../testing/reading.ts';
import { MAX_DEPTH } from '../terms/budgets.ts';
import type { Json, JsonObject } from '../terms/json.ts';
import { factsOf } from './disjoint.ts';
import { isNever } from './schema-node.ts';

const factsIn = (schema: Json) => factsOf(readingOf(schema).root);

describe('a parsed schema', () => {
  it('allows anything if true and nothing if false', () => {
    expect(readingOf(true).root.parts).toEqual([]);
    expect(isNever(readingOf(false).root)).toBe(true);
    expect(isNever(readingOf({ not: {} }).root)).toBe(false);
  });

  it.each<[JsonObject, object]>([
    [{ minimum: 1, exclusiveMinimum: true }, { minimum: { value: 1, exclusive: true } }],
    [{ minimum: 1, exclusiveMinimum: false }, { minimum: { value: 1, exclusive: false } }],
    [{ minimum: 1, exclusiveMinimum: 2 }, { minimum: { value: 2, exclusive: true } }],
    [{ minimum: 3, exclusiveMinimum: 2 }, { minimum: { value: 3, exclusive: false } }],
    [{ maximum: 3, exclusiveMaximum: 3 }, { maximum: { value: 3, exclusive: true } }],
  ])('%j has the tighter limit, in the keywords of any draft', (schema, number) => {
    expect(factsIn(schema)).toMatchObject([{ number }]);
  });

  it('combines const and enum', () => {
    expect(factsIn({ const: 1, enum: [1, 2] })).toMatchObject([{ values: [1] }]);
    expect(factsIn({ const: 3, enum: [1, 2] })).toMatchObject([{ values: [] }]);
    expect(factsIn({ const: null })).toMatchObject([{ values: [null] }]);
  });

  it('distinguishes a list of item schemas from a single one', () => {
    const [tuple] = factsIn({ items: [{ type: 'null' }], additionalItems: false });
    expect(tuple?.array?.prefix?.map(({ path }) => path)).toEqual(['/items/0']);
    expect(tuple?.array?.rest?.path).toBe('/additionalItems');
    const [modern] = factsIn({ prefixItems: [true], items: { type: 'null' } });
    expect(modern?.array?.prefix?.map(({ path }) => path)).toEqual(['/prefixItems/0']);
    expect(modern?.array?.rest?.path).toBe('/items');
  });

  it('is one node for all references, including recursive ones', () => {
    const schema = { properties: { next: { $ref: '#' }, again: { $ref: '#' } } };
    const { root } = readingOf(schema);
    const [facts] = factsOf(root);
    const next = facts?.object?.properties?.get('next')?.parts[0];
    expect(next?.type === 'inclusion' && next.target()).toBe(root);
  });

  it('is refused if it nests too deep or has an invalid pattern', () => {
    let deep: Json = true;
    for (let depth = 0; depth <= MAX_DEPTH; depth++) deep = { items: deep };
    expect(() => readingOf(deep)).toThrow('nests deeper');
    expect(() => readingOf({ properties: { a: { pattern: '(' } } })).toThrow(
      expect.objectContaining({ reason: 'invalid', path: '/properties/a/pattern' }),
    );
  });
});
