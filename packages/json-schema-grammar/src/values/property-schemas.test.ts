import { describe, expect, it } from 'vitest';
import { readingOf } from '../../testing/reading.ts';
import type { Json } from '../terms/json.ts';
import { itemSchemas } from './item-schemas.ts';
import { keyClassSchemas, propertySchemas } from './property-schemas.ts';

const text = { type: 'string' };

/** The paths of a property's schemas, for each leaf. */
function placesOfKey(schema: Json, name: string) {
  const { root, leaves, strings } = readingOf(schema);
  return leaves.of([root]).map((leaf) => propertySchemas(leaf, name, strings).map(({ path }) => path));
}

function placesOfItem(schema: Json, index: number) {
  const { root, leaves } = readingOf(schema);
  return leaves.of([root]).map((leaf) => itemSchemas(leaf, index).map(({ path }) => path));
}

describe('the schemas of a property', () => {
  const schema = {
    properties: { a: text },
    patternProperties: { '^a': text, b$: text },
    additionalProperties: text,
  };

  it.each([
    ['a', ['/properties/a', '/patternProperties/^a']],
    ['ab', ['/patternProperties/^a', '/patternProperties/b$']],
    ['c', ['/additionalProperties']],
  ])('are all that apply to %s, else additionalProperties', (name, places) => {
    expect(placesOfKey(schema, name)).toEqual([places]);
  });

  it('are those of the matched patterns for unnamed keys', () => {
    const { root, leaves } = readingOf(schema);
    const [leaf = []] = leaves.of([root]);
    const placesOf = (...matched: string[]) =>
      keyClassSchemas(leaf, new Set(matched)).map(({ path }) => path);
    expect(placesOf('b$')).toEqual(['/patternProperties/b$']);
    expect(placesOf()).toEqual(['/additionalProperties']);
  });

  it('include additionalProperties of each schema that does not describe the property itself', () => {
    const apart = { allOf: [{ properties: { a: text } }, { additionalProperties: text }] };
    expect(placesOfKey(apart, 'a')).toEqual([['/allOf/0/properties/a', '/allOf/1/additionalProperties']]);
  });

  it('include unevaluatedProperties if nothing in the chosen alternative applies', () => {
    const schema = {
      anyOf: [{ required: ['k'], properties: { a: text } }, { properties: { b: text } }],
      unevaluatedProperties: false,
    };
    expect(placesOfKey(schema, 'a')).toEqual([['/anyOf/0/properties/a'], ['/unevaluatedProperties']]);
    const inner = { properties: { x: text }, allOf: [{ unevaluatedProperties: false }] };
    expect(placesOfKey(inner, 'x')).toEqual([['/properties/x', '/allOf/0/unevaluatedProperties']]);
  });

  it('ignore properties that only a negation describes', () => {
    const schema = { not: { properties: { a: text }, required: ['a'] }, unevaluatedProperties: text };
    for (const places of placesOfKey(schema, 'a')) expect(places).toContain('/unevaluatedProperties');
  });
});

describe('the schemas of an item', () => {
  it('are that of its index, then that of the rest', () => {
    const schema = { prefixItems: [text], items: text };
    expect([placesOfItem(schema, 0), placesOfItem(schema, 1)]).toEqual([[['/prefixItems/0']], [['/items']]]);
  });

  it('include unevaluatedItems after all prefixes', () => {
    const schema = { allOf: [{ prefixItems: [text, text] }], prefixItems: [text], unevaluatedItems: false };
    expect(placesOfItem(schema, 1)).toEqual([['/allOf/0/prefixItems/1']]);
    expect(placesOfItem(schema, 2)).toEqual([['/unevaluatedItems']]);
  });
});
