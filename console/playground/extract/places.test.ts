import { expect, it } from 'vitest';
import { leafAt, leavesOf } from './places.ts';

const box = (x0: number, y0: number, x1: number, y1: number) => ({ x0, y0, x1, y1 });
const DATA = { number: 'R-7311', lines: [{ text: 'Rye bread', amount: 5.2 }], paid: null };
const CITATIONS = {
  number: { file: 1, page: 1, quote: 'R-7311', box: box(0.5, 0.1, 0.7, 0.12) },
  lines: [
    {
      text: { file: 1, page: 2, quote: 'Rye bread', box: box(0.1, 0.4, 0.9, 0.5) },
      amount: { file: 1, page: 2, quote: '5.20', box: box(0.7, 0.42, 0.8, 0.45) },
    },
  ],
  paid: { grounded: false },
};
const leaves = leavesOf(DATA, CITATIONS, { number: 0.99, lines: [{ text: null, amount: 0.7 }], paid: null });

it('finds every value with its place and its probability', () => {
  expect(leaves.map(({ path, value, confidence }) => [path, value, confidence])).toEqual([
    ['number', 'R-7311', 0.99],
    ['lines.0.text', 'Rye bread', undefined],
    ['lines.0.amount', 5.2, 0.7],
    ['paid', null, undefined],
  ]);
  expect(leaves[0]?.place).toEqual({ file: 1, page: 1, quote: 'R-7311', box: box(0.5, 0.1, 0.7, 0.12) });
  expect(leaves[3]?.place).toBeUndefined();
});

it('finds the smallest value at a point of a page', () => {
  expect(leafAt(leaves, { file: 1, page: 2, x: 0.75, y: 0.44 })?.path).toBe('lines.0.amount');
  expect(leafAt(leaves, { file: 1, page: 2, x: 0.2, y: 0.44 })?.path).toBe('lines.0.text');
  expect(leafAt(leaves, { file: 1, page: 1, x: 0.2, y: 0.44 })).toBeUndefined();
});

it('does without citations', () => {
  expect(leavesOf({ a: [1, 2] }, undefined, undefined).map(({ path }) => path)).toEqual(['a.0', 'a.1']);
});
