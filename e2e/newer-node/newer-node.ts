import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstall } from '../cached-install.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/**
 * Path of an LTS Node newer than the tests' own, as pinned by package-lock.json here and installed on first use; undefined, with
 * the reason printed, if it is not available.
 */
export async function newerNode(): Promise<string | undefined> {
  const name = `lts-${process.platform}-${process.arch}`;
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (!lock.includes(`"node_modules/${name}"`)) {
    console.warn(`skipped: no newer Node is pinned for ${process.platform}-${process.arch} (e2e/newer-node)`);
    return undefined;
  }
  const binary = join('node_modules', name, 'bin', 'node');
  const installed = await cachedInstall({
    folder,
    name: 'newer-node',
    lastFile: binary,
    npmArguments: ['--include=optional'],
  });
  return installed === undefined ? undefined : join(installed, binary);
}
