import { createHash } from 'node:crypto';

/** Bytes that begin as a GGUF file does and do not compress: the same for the same seed. */
export function madeModel(sizeBytes: number, seed = 'model'): Buffer {
  const blocks = Array.from({ length: Math.ceil(sizeBytes / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}${index}`).digest(),
  );
  return Buffer.concat([Buffer.from('GGUF'), ...blocks]).subarray(0, sizeBytes);
}

/** The SHA-256 of some bytes, in hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
