import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasErrorCode } from '../lib/error-code.ts';
import type { InstalledModel } from './installed-model.ts';

const GGUF_MAGIC = 'GGUF';
const NO_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR'] as const;

/** A model file given by path: it has no known hash, but must at least start like a model. */
export async function findModelFile(path: string): Promise<InstalledModel | undefined> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GGUF_MAGIC.length), 0, GGUF_MAGIC.length, 0);
    if (buffer.toString('latin1', 0, bytesRead) !== GGUF_MAGIC) return undefined;
    const { size } = await file.stat();
    const name = basename(path).replace(/\.gguf$/i, '');
    return { name, files: [{ role: 'weights', path, sizeBytes: size }] };
  } catch (error) {
    if (hasErrorCode(error, ...NO_FILE)) return undefined;
    throw error;
  }
}
