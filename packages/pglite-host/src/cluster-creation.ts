import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { compiledFile } from './compiled-file.ts';
import { syncFolder } from './durable-file-system.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';

const UNFINISHED_PREFIX = 'database.creating-';
const CREATION_TIMEOUT_MS = 300_000;
const MAX_ERROR_CHARACTERS = 4_000;

/** The folder of the database files in a data folder. */
export function databaseFolder(dataDir: string): string {
  return path.join(dataDir, 'database');
}

/** Creates the database files unless they exist. If the process is killed meanwhile, the next start begins again. */
export async function createClusterOnce(dataDir: string, log: EmbeddedDatabaseLog): Promise<void> {
  await removeUnfinished(dataDir);
  if (existsSync(databaseFolder(dataDir))) return;
  log({ type: 'creation-start', message: 'creating the database, about 10 seconds' });
  const unfinished = path.join(dataDir, `${UNFINISHED_PREFIX}${randomUUID()}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await runCreator(unfinished);
    await rename(unfinished, databaseFolder(dataDir));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 10 });
    throw error;
  }
  syncFolder(dataDir);
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    // The creator process of a killed server may still write here for a moment.
    await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

// A separate process: creation needs more than 700 MB, which the server would keep after a worker thread ends.
function runCreator(folder: string): Promise<void> {
  const child = fork(compiledFile('cluster-creator.js'), [folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: CREATION_TIMEOUT_MS,
    execArgv: [],
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-MAX_ERROR_CHARACTERS);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`the database could not be created (${signal ?? `exit ${code}`}): ${errors.trim()}`),
        );
    });
  });
}
