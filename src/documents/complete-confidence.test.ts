import { expect, it } from 'vitest';
import { completeConfidence } from './complete-confidence.ts';

it('has the shape of the data, with null where nothing is known', () => {
  const data = { a: 1, b: null, list: [{ c: 'x' }, { c: 'y' }], short: [1], constructor: 'x' };
  const known = { a: 0.5, b: 0.25, list: [{ c: 1 }, {}], short: [1, 0.5], other: 1 };
  expect(completeConfidence(data, known)).toEqual({
    a: 0.5,
    b: 0.25,
    list: [{ c: 1 }, { c: null }],
    short: [null],
    constructor: null,
  });
  expect(completeConfidence(data, undefined)).toMatchObject({ a: null, list: [{ c: null }, { c: null }] });
});
