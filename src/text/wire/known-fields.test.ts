import { expect, it } from 'vitest';
import { KnownFields } from './known-fields.ts';

it('shares the plain members of the last body, frozen', () => {
  const known = new KnownFields();
  const members = '"model":"tiny","max_tokens":7,';
  const fields = known.parse(members);
  expect(fields).toEqual({ model: 'tiny', max_tokens: 7 });
  expect(known.parse(`${members}`)).toBe(fields);
  expect(() => Object.assign(fields, { model: 'other' })).toThrow(TypeError);
  expect(known.parse('"model":"tiny","max_tokens":8')).toEqual({ model: 'tiny', max_tokens: 8 });
  expect(known.parse(members)).toEqual(fields);
  expect(known.parse('')).toEqual({});
});

it.each([
  ['objects', '"stream_options":{"include_usage":true}'],
  ['lists', '"stop":["x"]'],
  ['long texts', `"system":"${'x'.repeat(200)}"`],
])('keeps no %s', (_, members) => {
  const known = new KnownFields();
  const fields = known.parse(members);
  expect(Object.isFrozen(fields)).toBe(false);
  expect(known.parse(members)).not.toBe(fields);
  expect(known.parse(members)).toEqual(fields);
});

it('forgets nothing and keeps nothing where the members are no JSON', () => {
  const known = new KnownFields();
  const fields = known.parse('"model":"tiny"');
  expect(() => known.parse('"model":')).toThrow(SyntaxError);
  expect(known.parse('"model":"tiny"')).toBe(fields);
});
