import { createHash } from 'node:crypto';

/** Incompressible bytes that start like a GGUF file; deterministic by seed. */
export function madeModel(sizeBytes: number, seed = 'model'): Buffer {
  const blocks = Array.from({ length: Math.ceil(sizeBytes / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}${index}`).digest(),
  );
  return Buffer.concat([Buffer.from('GGUF'), ...blocks]).subarray(0, sizeBytes);
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
