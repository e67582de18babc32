import { GgmlType } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { bytesOf, readValues, writeQ8 } from './tensor-blocks.ts';

describe('values of a tensor', () => {
  it('come back from Q8_0 within half a step of their block', () => {
    const values = Float32Array.from({ length: 96 }, (_, index) => Math.sin(index) * 10 ** (index / 20 - 4));
    values.fill(0, 32, 64);
    const bytes = Buffer.alloc(bytesOf(GgmlType.Q8_0, values.length));
    writeQ8(values, bytes, 0);
    const read = readValues(bytes, GgmlType.Q8_0, values.length);
    for (const [index, value] of values.entries()) {
      const block = values.subarray(index - (index % 32), index - (index % 32) + 32);
      const greatest = Math.max(...block.map(Math.abs));
      // Half a step, and what the scale loses as a half.
      expect(Math.abs((read[index] ?? 0) - value)).toBeLessThanOrEqual(greatest / 254 + greatest / 1024);
    }
  });

  it('are read from Q4_1: a scale, a least value and four bits each, low halves first', () => {
    const bytes = Buffer.alloc(bytesOf(GgmlType.Q4_1, 32));
    bytes.writeUInt16LE(0x3800, 0); // 0.5
    bytes.writeUInt16LE(0xc000, 2); // -2
    bytes[4] = 0x3f;
    const values = readValues(bytes, GgmlType.Q4_1, 32);
    expect([values[0], values[16], values[1]]).toEqual([5.5, -0.5, -2]);
  });

  it('are refused in types that cannot be merged', () => {
    expect(() => readValues(Buffer.alloc(0), GgmlType.Q6_K, 0)).toThrow('type Q6_K');
  });
});
