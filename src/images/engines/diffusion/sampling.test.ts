import { describe, expect, it } from 'vitest';
import { advance, guide, momentsOf } from './sampling.ts';

describe('sampling', () => {
  it('goes from noise to the finished picture, with short steps first', () => {
    expect(momentsOf(1)).toEqual([0, 1]);
    const moments = momentsOf(4);
    expect(moments).toEqual([0, 0.25 / 1.75, 0.5 / 1.5, 0.75 / 1.25, 1]);
    expect(moments.toSorted((one, other) => one - other)).toEqual(moments);
  });

  it('ends with the predicted picture itself', () => {
    const clean = Float32Array.of(0.5, -0.5);
    expect(advance(Float32Array.of(3, 3), clean, { now: 0.6, next: 1 })).toBe(clean);
  });

  it('goes the share of the way that the moments say', () => {
    const half = advance(Float32Array.of(1), Float32Array.of(0), { now: 0.5, next: 0.75 });
    expect(half[0]).toBeCloseTo(0.5, 6);
  });

  it('is guided away from the picture without a prompt, by no more than its reach', () => {
    const asked = Float32Array.of(0.1, -0.1);
    const unasked = Float32Array.of(0, 0);
    const strong = guide(asked, unasked, { guidance: 20, now: 0 });
    expect(strong[0]).toBeCloseTo(0.1 + 0.35, 5);
    expect(guide(asked, unasked, { guidance: 1, now: 0 })).toEqual(asked);
    expect(guide(Float32Array.of(0.9), Float32Array.of(-0.9), { guidance: 20, now: 0 })[0]).toBe(1);
  });
});
