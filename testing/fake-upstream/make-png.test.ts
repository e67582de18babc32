import { describe, expect, it } from 'vitest';
import { makePng } from './make-png.mjs';
import { readPng } from './read-png.ts';

describe('makePng', () => {
  it('makes a PNG whose pixels can be read back', () => {
    const png = makePng({ width: 5, height: 3, seed: 7 });
    const { width, height, rows } = readPng(png);
    expect([width, height, rows.length]).toEqual([5, 3, 3 * (1 + 5 * 3)]);
    expect([...rows.subarray(0, 4)]).toEqual([0, 0, 0, 7]);
    expect(makePng({ width: 5, height: 3, seed: 7 })).toEqual(png);
    expect(makePng({ width: 5, height: 3, seed: 8 })).not.toEqual(png);
  });
});
