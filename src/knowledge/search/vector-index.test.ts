import { describe, expect, it } from 'vitest';
import { packVectors, unpackVectors } from '../packed-vectors.ts';
import { VectorIndex } from './vector-index.ts';

/** Deterministic unit vectors. */
function someVectors(count: number, dimensions: number): Float32Array[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = new Float32Array(dimensions).map(next);
    const length = Math.sqrt(cosine(vector, vector));
    return vector.map((number) => number / length);
  });
}

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);

function packed(vectors: readonly Float32Array[]) {
  const unpacked = unpackVectors(packVectors(vectors));
  if (!unpacked) throw new Error('nothing was packed');
  return unpacked;
}

describe('an index of vectors', () => {
  it.each([16, 20, 512])('finds the cosines of vectors of %i numbers', (dimensions) => {
    const vectors = someVectors(2000, dimensions);
    const [question = new Float32Array()] = someVectors(1, dimensions).map((vector) => vector.toReversed());
    const index = new VectorIndex(dimensions);
    vectors.forEach((vector, slot) => {
      index.add(slot, packed([vector]));
    });
    const cosines = new Float32Array(vectors.length);
    expect(index.score(question, cosines)).toBe(true);
    const worst = vectors.reduce(
      (most, vector, slot) =>
        Math.max(most, Math.abs(Math.max(0, cosine(vector, question)) - (cosines[slot] ?? 0))),
      0,
    );
    expect(worst).toBeLessThan(0.02);
  });

  it('takes the closest passage of a chunk', () => {
    const [first, second, third] = someVectors(3, 32) as [Float32Array, Float32Array, Float32Array];
    const index = new VectorIndex(32);
    index.add(0, packed([first, second]));
    index.add(1, packed([third]));
    const cosines = new Float32Array(2);
    index.score(second, cosines);
    expect(cosines[0]).toBeCloseTo(1, 2);
    expect(cosines[1]).toBeLessThan(0.9);
  });

  it('does not compare vectors of another length', () => {
    const index = new VectorIndex(32);
    index.add(0, packed(someVectors(1, 16)));
    expect(index.score(new Float32Array(16), new Float32Array(1))).toBe(false);
    const cosines = new Float32Array(1);
    index.score(someVectors(1, 32)[0] ?? new Float32Array(), cosines);
    expect(cosines[0]).toBe(0);
  });
});

describe('packed vectors', () => {
  it('are empty where there are none', () => {
    expect(unpackVectors(packVectors([]))).toBeUndefined();
  });

  it('are refused when bytes are missing', () => {
    expect(() => unpackVectors(packVectors(someVectors(2, 16)).subarray(1))).toThrow(RangeError);
  });

  it('can be read at any offset of a larger buffer', () => {
    const bytes = packVectors(someVectors(2, 16));
    const shifted = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3);
    expect(unpackVectors(shifted)).toEqual(unpackVectors(bytes));
  });
});
