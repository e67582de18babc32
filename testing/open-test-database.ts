import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import type pg from 'pg';
import { copyClusterTemplate } from '../packages/pglite-host/testing/cluster-template.ts';
import { Secret } from '../src/config/secret.ts';
import { postgresPool } from '../src/store/database.ts';
import { createDatabase } from './real-postgres/create-database.ts';

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
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stackgate-test-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  if (kind === 'postgres') {
    const url = new Secret(await createDatabase());
    const pool = postgresPool(url);
    return { kind, pool, dataDir, url, close: () => pool.end().then(remove) };
  }
  await copyClusterTemplate(dataDir);
  const { pool, close } = await openEmbeddedDatabase({ dataDir, log: () => {} });
  return { kind, pool, dataDir, url: undefined, close: () => close().then(remove) };
}
