import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const BLOCK_BYTES = 512;
const REGULAR_FILES = ['0', '\0'];

/** Extracts the regular files of a tar archive to `lib/`; only the base names of its paths are used. */
export async function unpackTar(tar: Buffer, folder: string): Promise<void> {
  const target = join(folder, 'lib');
  await mkdir(target, { mode: 0o755 });
  for (let at = 0; at + BLOCK_BYTES <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK_BYTES);
    const name = cString(header.subarray(0, 100));
    if (name === '') return;
    const size = Number.parseInt(cString(header.subarray(124, 136)), 8);
    const start = at + BLOCK_BYTES;
    if (!(start + size <= tar.length)) throw new Error('the archive is cut off');
    if (REGULAR_FILES.includes(String.fromCharCode(header[156] ?? 0))) {
      await writeFile(join(target, basename(name)), tar.subarray(start, start + size), { mode: 0o755 });
    }
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}

function cString(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes
    .subarray(0, end === -1 ? bytes.length : end)
    .toString('latin1')
    .trim();
}
