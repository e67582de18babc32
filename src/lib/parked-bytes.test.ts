import { describe, expect, it } from 'vitest';
import { ParkedBytes, unpark } from './parked-bytes.ts';

const PIECE_BYTES = 1_000_000;
const PIECES = 50;

function parked(): ParkedBytes {
  const bytes = new ParkedBytes();
  for (let each = 0; each < PIECES; each++) bytes.add(Buffer.allocUnsafeSlow(PIECE_BYTES).fill(each));
  return bytes;
}

/** The bytes that V8 counts for this thread, and all. */
function heldBytes(): { readonly counted: number; readonly all: number } {
  const { external, arrayBuffers } = process.memoryUsage();
  return { counted: external, all: arrayBuffers };
}

describe('parked bytes', () => {
  it('are not counted for this thread', () => {
    const before = heldBytes();
    const bytes = parked();
    const after = heldBytes();
    expect(after.all - before.all).toBeGreaterThanOrEqual(PIECES * PIECE_BYTES);
    expect(after.counted - before.counted).toBeLessThan(2 * PIECE_BYTES);
    bytes.free();
  });

  it('are put together in their order, also those whose memory others may read', () => {
    const bytes = new ParkedBytes();
    const pieces = [Buffer.alloc(70_000, 'a'), Buffer.alloc(300, 'b').subarray(0, 200), Buffer.from('c')];
    const whole = Buffer.concat(pieces);
    for (const piece of pieces) bytes.add(piece);
    expect(pieces.map(({ length }) => length)).toEqual([0, 200, 1]);
    expect(bytes.sizeBytes).toBe(whole.length);
    expect(whole.equals(unpark(bytes.port))).toBe(true);
    bytes.free();
  });

  it('are freed when they are not received', async () => {
    const before = heldBytes();
    const bytes = parked();
    const closed = new Promise<void>((resolve) => bytes.port.port.once('close', resolve));
    bytes.free();
    bytes.free();
    await closed;
    expect(heldBytes().all - before.all).toBeLessThan((PIECES * PIECE_BYTES) / 2);
  });
});
