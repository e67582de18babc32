import { describe, expect, it } from 'vitest';
import { fromPatches, patchCentres, toPatches } from './patches.ts';

const grid = { width: 32, height: 16, patch: 8 };

describe('patches', () => {
  it('come back as the picture they were cut from', () => {
    const pixels = Float32Array.from({ length: 32 * 16 * 3 }, (_, index) => index);
    expect(fromPatches(toPatches(pixels, grid), grid)).toEqual(pixels);
  });

  it('are cut row by row', () => {
    const pixels = Float32Array.from({ length: 32 * 16 * 3 }, (_, index) => index);
    const patches = toPatches(pixels, grid);
    expect([...patches.subarray(0, 3)]).toEqual([0, 1, 2]);
    expect(patches[8 * 3]).toBe(32 * 3);
    expect(patches[8 * 8 * 3]).toBe(8 * 3);
  });

  it('have centres in units of the shorter side and as shares', () => {
    expect([...patchCentres(grid)].slice(0, 8)).toEqual([0.25, 0.25, 0.125, 0.25, 0.75, 0.25, 0.375, 0.25]);
    expect(patchCentres(grid)).toHaveLength(4 * 2 * 4);
  });
});
