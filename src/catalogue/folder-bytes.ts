import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of all files in a folder and below; what vanishes meanwhile counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const facts = await lstat(join(folder, entry)).catch(() => undefined);
      return facts?.isFile() ? facts.size : 0;
    }),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
