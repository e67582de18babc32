import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Total size of a folder, recursively; files that vanish meanwhile count as 0. */
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
