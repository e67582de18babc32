import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DurableFileSystem, syncFolder } from './durable-file-system.ts';
import { postgresArguments } from './postgres-settings.ts';

const OWNER_ONLY_UMASK = 0o077;

async function createCluster(folder: string): Promise<void> {
  const files = new DurableFileSystem(folder, { synced: () => {} });
  const database = await PGlite.create({ fs: files, startParams: postgresArguments() });
  await database.close();
  syncTree(folder);
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(name);
    else if (entry.isFile()) syncFile(name);
  }
  syncFolder(folder);
}

function syncFile(name: string): void {
  const descriptor = openSync(name, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to create the database in');
process.umask(OWNER_ONLY_UMASK);
// The parent moves the finished folder into place; without it the work is useless.
process.once('disconnect', () => process.exit(1));
await createCluster(folder);
process.disconnect();
process.exit(0);
