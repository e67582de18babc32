// Creating an embedded database takes seconds of CPU, so it is created once for all benchmarks and copied.
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));

/** Puts an empty database into the data folder of a gateway started in this folder. */
export async function copyDatabase(folder) {
  const { createDatabaseFiles } = await import('@stackgate/pglite-host');
  const template = join(cache, `database-${pgliteVersion()}`);
  if (!existsSync(template)) {
    // Created in a temporary folder, so that an interrupted run leaves no half of one.
    const aside = `${template}.${process.pid}`;
    await mkdir(aside, { recursive: true });
    await createDatabaseFiles({ dataDir: aside, log: () => {} });
    await rename(aside, template).catch(() => rm(aside, { recursive: true }));
  }
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await cp(join(template, 'database'), join(dataFolder, 'database'), { recursive: true });
}

function pgliteVersion() {
  const require = createRequire(import.meta.url);
  const root = dirname(dirname(require.resolve('@electric-sql/pglite')));
  return require(join(root, 'package.json')).version;
}
