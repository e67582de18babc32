import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import {
  clusterTemplate,
  copyClusterTemplate,
  copyDatabase,
} from '../packages/pglite-host/testing/cluster-template.ts';
import { migrate } from '../src/store/migrate.ts';

const migrations = fileURLToPath(new URL('../src/store/migrations/', import.meta.url));

/** Puts a database with this version's tables into a data folder by copying one that is made once per machine: making them takes longer than opening it. */
export async function copyMigratedTemplate(dataDir: string): Promise<void> {
  const template = `${clusterTemplate()}-${hashOfMigrations()}`;
  if (!existsSync(template)) await createTemplate(template);
  copyDatabase(template, dataDir);
}

/** Made aside and renamed into place, so that two processes may do it at once and a killed one leaves no half. */
async function createTemplate(template: string): Promise<void> {
  const making = await mkdtemp(`${template}-making-`);
  try {
    await copyClusterTemplate(making);
    const { pool, close } = await openEmbeddedDatabase({ dataDir: making, log: () => {} });
    await migrate(pool).finally(close);
    await rename(making, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrations).toSorted()) {
    hash.update(name).update(readFileSync(path.join(migrations, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
