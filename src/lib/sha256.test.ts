import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sha256Of } from './sha256.ts';

describe('the SHA-256 of bytes', () => {
  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 1_000_000])('is that of all %d bytes', async (length) => {
    const bytes = Buffer.alloc(length, 'stackgate');
    expect(await sha256Of(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('lets other work go on between its pieces', async () => {
    let isDone = false;
    const hashing = sha256Of(Buffer.alloc(2_000_000)).then(() => {
      isDone = true;
    });
    await setImmediate();
    expect(isDone).toBe(false);
    await hashing;
  });
});
