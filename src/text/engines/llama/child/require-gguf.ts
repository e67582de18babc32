import { open } from 'node:fs/promises';

const HEAD_BYTES = 24;
const VERSIONS: ReadonlySet<number> = new Set([2, 3]);
// Far more than any model has; the parser would look for as many, however short the file is.
const MOST_ENTRIES = 1_000_000n;

/** Throws if a file does not have the head of a model: parsing such a file could take minutes. */
export async function requireGguf(path: string): Promise<void> {
  const head = Buffer.alloc(HEAD_BYTES);
  await using file = await open(path);
  await file.read(head, 0, HEAD_BYTES, 0);
  const isModel =
    head.toString('latin1', 0, 4) === 'GGUF' &&
    VERSIONS.has(head.readUInt32LE(4)) &&
    head.readBigUInt64LE(8) <= MOST_ENTRIES &&
    head.readBigUInt64LE(16) <= MOST_ENTRIES;
  if (!isModel) throw new Error('the file is no GGUF model of version 2 or 3');
}
