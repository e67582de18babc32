import { open } from 'node:fs/promises';

const HEAD_BYTES = 24;
const VERSIONS: ReadonlySet<number> = new Set([2, 3]);
// Far beyond any model: the reader would look for as many, however short the file is.
const MOST_ENTRIES = 1_000_000n;

/** Refuses a file whose head is not that of a model: reading on in such a file takes minutes. */
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
