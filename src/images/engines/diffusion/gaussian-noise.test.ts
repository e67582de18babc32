import { describe, expect, it } from 'vitest';
import { gaussianNoise, philox } from './gaussian-noise.ts';

describe('noise', () => {
  it('comes from Philox as published: counter 0 and key 0, and all bits set', () => {
    expect(philox([0, 0, 0, 0], [0, 0])).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    const ones = 0xffffffff;
    expect(philox([ones, ones, ones, ones], [ones, ones])).toEqual([
      0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd,
    ]);
  });

  it('is standard normal', () => {
    const noise = gaussianNoise(50_000, 2n ** 64n - 1n);
    const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length;
    const variance = noise.reduce((sum, value) => sum + value * value, 0) / noise.length;
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(Math.abs(variance - 1)).toBeLessThan(0.03);
    expect(noise.every(Number.isFinite)).toBe(true);
  });

  it('repeats for a seed, and differs in every bit of it', () => {
    expect(gaussianNoise(9, 7n)).toEqual(gaussianNoise(9, 7n));
    const firsts = new Set(Array.from({ length: 64 }, (_, bit) => gaussianNoise(1, 1n << BigInt(bit))[0]));
    expect(firsts.size).toBe(64);
  });

  it('starts the same however much of it is drawn', () => {
    expect(gaussianNoise(7, 5n)).toEqual(gaussianNoise(100, 5n).subarray(0, 7));
  });
});
