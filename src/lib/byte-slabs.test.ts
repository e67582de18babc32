import { describe, expect, it } from 'vitest';
import { ByteSlabs, joined } from './byte-slabs.ts';

const PATTERN = Buffer.from(Array.from({ length: 200_003 }, (_, at) => at % 251));

function fed(chunkBytes: number): ByteSlabs {
  const slabs = new ByteSlabs();
  for (let at = 0; at < PATTERN.length; at += chunkBytes)
    slabs.add(Buffer.from(PATTERN.subarray(at, at + chunkBytes)));
  return slabs;
}

describe('bytes in slabs', () => {
  it.each([1, 7, 4_095, 65_536, 70_000, 200_003])('stay in order, in chunks of %i', (chunkBytes) => {
    const slabs = fed(chunkBytes);
    expect(PATTERN.equals(Buffer.concat(slabs.pieces))).toBe(true);
    const full = slabs.takeFull();
    expect(PATTERN.equals(Buffer.concat([...full, ...slabs.takeAll()]))).toBe(true);
    expect(slabs.takeAll()).toEqual([]);
  });

  it('are few pieces, and little more memory than the bytes, in however small chunks they come', () => {
    const { pieces } = fed(1);
    expect(pieces.length).toBeLessThan(15);
    const memory = new Set(pieces.map(({ buffer }) => buffer));
    const heldBytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(heldBytes).toBeLessThan(2 * PATTERN.length);
  });

  it('fill the same slab after all were taken out', () => {
    const slabs = new ByteSlabs();
    slabs.add(Buffer.from('a'));
    const taken = Array.from({ length: 100 }, () => {
      slabs.add(Buffer.from('b'));
      return slabs.takeAll().at(-1) ?? expect.unreachable();
    });
    expect(Buffer.concat(taken).toString()).toBe('b'.repeat(100));
    expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(1);
  });

  it('are the chunk itself if there is only one', () => {
    const slabs = new ByteSlabs();
    const chunk = Buffer.from('{}');
    slabs.add(chunk);
    expect(joined(slabs.takeAll())).toBe(chunk);
  });

  it('free the memory of large chunks, and of the slabs when they are joined', () => {
    const slabs = new ByteSlabs();
    const chunks = Array.from({ length: 4 }, () => Buffer.allocUnsafeSlow(65_536).fill('x'));
    for (const chunk of chunks) slabs.add(chunk);
    expect(chunks.map(({ length }) => length)).toEqual([65_536, 0, 0, 0]);
    const pieces = slabs.takeAll();
    expect(joined(pieces)).toHaveLength(4 * 65_536);
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  });
});
