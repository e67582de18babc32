import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseFolder } from '../src/cluster-creation.ts';
import { createDatabaseFiles } from '../src/create-database-files.ts';
import { DatabaseInUse } from '../src/data-folder-lock.ts';

const MAX_WAIT_MS = 180_000;
const WAIT_STEP_MS = 50;

/** The data folder of the database that tests copy. */
export function clusterTemplate(): string {
  return path.join(tmpdir(), `stackgate-cluster-${pgliteVersion()}-${userInfo().uid}`);
}

/** Creates a database in a data folder by copying one that is created once per machine. */
export async function copyClusterTemplate(dataDir: string): Promise<void> {
  const template = clusterTemplate();
  mkdirSync(template, { recursive: true, mode: 0o700 });
  for (let waitedMs = 0; !existsSync(databaseFolder(template)); waitedMs += WAIT_STEP_MS) {
    if (waitedMs > MAX_WAIT_MS) throw new Error(`no database template came into being in ${template}`);
    await createTemplate(template);
  }
  copyDatabase(template, dataDir);
}

/** Copies a database that no process uses from one data folder to another; at once, since that takes a quarter of the time. */
export function copyDatabase(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(databaseFolder(from), databaseFolder(to), { recursive: true });
}

async function createTemplate(template: string): Promise<void> {
  try {
    await createDatabaseFiles({ dataDir: template, log: () => {} });
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    await delay(WAIT_STEP_MS);
  }
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const text = readFileSync(path.join(path.dirname(entry), '..', 'package.json'), 'utf8');
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return 'unknown';
  return String(manifest.version);
}
