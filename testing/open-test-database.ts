import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import type pg from 'pg';
import { copyClusterTemplate } from '../packages/pglite-host/testing/cluster-template.ts';
import { Secret } from '../src/config/secret.ts';
import { postgresPool } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';
import { copyMigratedTemplate } from './migrated-template.ts';
import { createDatabase } from './real-postgres/create-database.ts';
import { recordStatements } from './upgrade/record-statements.ts';

export type DatabaseKind = 'embedded' | 'postgres';

/** An empty database without tables. */
export interface TestDatabase {
  readonly kind: DatabaseKind;
  readonly pool: pg.Pool;
  /** The embedded database's folder; always the test's own. */
  readonly dataDir: string;
  /** Its address, if it has one. */
  readonly url: Secret | undefined;
  close(): Promise<void>;
}

/** Opens an empty database of either kind; closing it removes its files. */
export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return await openFilled(kind, { fillFolder: copyClusterTemplate, fill: async () => {} });
}

/** Opens a database of either kind that has this version's empty tables; closing it removes its files. */
export async function openMigratedDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return await openFilled(kind, { fillFolder: copyMigratedTemplate, fill: migrate });
}

/** How a database comes by what it has at first: the embedded one with its files, PostgreSQL by statements. */
interface Filling {
  readonly fillFolder: (dataDir: string) => Promise<void>;
  readonly fill: (pool: pg.Pool) => Promise<unknown>;
}

async function openFilled(kind: DatabaseKind, { fillFolder, fill }: Filling): Promise<TestDatabase> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stackgate-test-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  if (kind === 'postgres') {
    const url = new Secret(await createDatabase());
    const pool = postgresPool(url);
    const { STACKGATE_RECORD_STATEMENTS: recording } = process.env;
    if (recording !== undefined) recordStatements(pool, recording);
    await fill(pool);
    return { kind, pool, dataDir, url, close: () => pool.end().then(remove) };
  }
  await fillFolder(dataDir);
  const { pool, close } = await openEmbeddedDatabase({ dataDir, log: () => {} });
  return { kind, pool, dataDir, url: undefined, close: () => close().then(remove) };
}
