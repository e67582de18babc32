import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import type pg from 'pg';
import { Secret } from '../../src/config/secret.ts';
import { postgresPool } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { copyMigratedTemplate } from '../migrated-template.ts';
import { createEmptyDatabase } from '../real-postgres/empty-database.ts';

/** A database with this version's tables that can have the extension "vector". */
export interface VectorDatabase {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** The address of a PostgreSQL that has pgvector; its user may create databases and extensions. */
const { STACKGATE_PGVECTOR_URL: serverUrl } = process.env;

/** Opens the databases that can be had here. */
export const vectorDatabases: readonly (readonly [string, () => Promise<VectorDatabase>])[] = [
  ['the embedded database', openEmbedded],
  ...(serverUrl === undefined ? [] : [['PostgreSQL', () => openServer(serverUrl)] as const]),
];

/** Printed where there is no such server. */
export const noPgvectorMessage =
  'tests on a PostgreSQL with pgvector are skipped: set STACKGATE_PGVECTOR_URL to the address of one';

export const isPgvectorServed = serverUrl !== undefined;

async function openEmbedded(): Promise<VectorDatabase> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stackgate-vectors-'));
  await copyMigratedTemplate(dataDir);
  const { pool, close } = await openEmbeddedDatabase({
    dataDir,
    log: () => {},
    extensions: { vector: pgvectorAddress() },
  });
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  return { pool, close: () => close().then(remove) };
}

async function openServer(url: string): Promise<VectorDatabase> {
  const pool = postgresPool(new Secret(await createEmptyDatabase(url)));
  await migrate(pool);
  return { pool, close: () => pool.end() };
}

/** Where the embedded database finds its pgvector. */
export function pgvectorAddress(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite-pgvector');
  return pathToFileURL(path.join(path.dirname(entry), 'index.js')).href;
}
