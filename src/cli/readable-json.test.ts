import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readableJson } from './readable-json.ts';

it('keeps on a line what fits there', () => {
  const long = 'x'.repeat(60);
  expect(readableJson({ type: ['string', 'null'], empty: {}, long, list: [1, { a: 'b' }], text: long })).toBe(
    `{\n  "type": ["string", "null"],\n  "empty": {},\n  "long": "${long}",\n  "list": [1, { "a": "b" }],\n  "text": "${long}"\n}`,
  );
});

it('is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(readableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    {
      numRuns: 200,
      seed: 7,
    },
  );
});
