import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prettyJson } from './pretty-json.ts';

it('writes the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(prettyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 100 },
  );
});

it('keeps on one line what fits there', () => {
  expect(prettyJson({ type: ['string', 'null'], properties: { number: { type: 'string' } } })).toBe(
    '{\n  "type": ["string", "null"],\n  "properties": { "number": { "type": "string" } }\n}',
  );
});
