import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** About a quarter of a millisecond. */
const PIECE_BYTES = 256 * 1024;

/**
 * The SHA-256 of bytes, in hexadecimal. They are hashed in pieces, and other work goes on in between. WebCrypto hashes on another
 * thread, but needs copies of the bytes: 1.4 instead of 0.9 ms for each MiB.
 */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0) await setImmediate();
    hash.update(bytes.subarray(from, from + PIECE_BYTES));
  }
  return hash.digest('hex');
}
