import { constants } from 'node:fs';
import { access, mkdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import type pg from 'pg';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import { queryRow, wholeNumber } from '../store/query.ts';
import { sql } from '../store/sql.ts';
import { askServer } from './ask-server.ts';
import { checkEngines } from './engine-checks.ts';
import { checkFieldFinder } from './field-finder-check.ts';
import type { Finding } from './finding.ts';
import { checkFolders } from './folder-checks.ts';
import { checkOcr } from './ocr-check.ts';
import { checkPdf, type TrialPdfEngine } from './pdf-check.ts';
import { checkSearch } from './search-check.ts';

export interface DoctorParts {
  readonly config: Config;
  readonly nodeVersion: string;
  readonly openBlobs: () => Promise<BlobStore>;
  readonly withDatabase: <Result>(work: (pool: pg.Pool) => Promise<Result>) => Promise<Result>;
  readonly models: Pick<ModelStore, 'find'>;
  readonly openPdfEngine: () => Promise<TrialPdfEngine>;
  readonly signal: AbortSignal;
}

const OLDEST_NODE = 20;
const ENOUGH_DISK_BYTES = 2_000_000_000;
const PROBE_MS = 2_000;

const countRow = z.object({ count: wholeNumber });

/** Checks everything the gateway needs. Never throws: problems are findings. */
export async function examine(parts: DoctorParts): Promise<readonly Finding[]> {
  return [
    checkNode(parts.nodeVersion),
    ...(await checkDataFolder(parts.config.dataDir)),
    await checkDatabase(parts),
    ...(await checkSearch(parts.config, parts.withDatabase)),
    await checkBlobs(parts),
    ...(await checkFolders(parts.config)),
    await checkPort(parts.config),
    ...(await checkEngines(parts.config, parts)),
    await checkOcr(parts.config, parts.models, parts.signal),
    await checkFieldFinder(),
    await checkPdf(parts.openPdfEngine, parts.signal),
  ];
}

function checkNode(version: string): Finding {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  if (major >= OLDEST_NODE) return { check: 'node', result: 'ok', message: `Node.js ${version}` };
  return {
    check: 'node',
    result: 'failure',
    message: `Node.js ${version} is too old`,
    remedy: `Install Node.js ${OLDEST_NODE} or newer.`,
  };
}

async function checkDataFolder(dataDir: string): Promise<readonly Finding[]> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK);
    const { mode } = await stat(dataDir);
    const { bavail, bsize } = await statfs(dataDir);
    return [folderMode(dataDir, mode), freeSpace(bavail * bsize)];
  } catch (error) {
    return [
      failure(
        'data folder',
        `${dataDir} cannot be used: ${messageOf(error)}`,
        'Give the user that runs the gateway the folder, or set data_dir.',
      ),
    ];
  }
}

function folderMode(dataDir: string, mode: number): Finding {
  if ((mode & 0o077) === 0) return { check: 'data folder', result: 'ok', message: dataDir };
  return {
    check: 'data folder',
    result: 'warning',
    message: `other users can look into ${dataDir}`,
    remedy: `Run: chmod 700 ${dataDir}`,
  };
}

function freeSpace(bytes: number): Finding {
  const message = `${(bytes / 1e9).toFixed(1)} GB free`;
  if (bytes >= ENOUGH_DISK_BYTES) return { check: 'disk space', result: 'ok', message };
  return {
    check: 'disk space',
    result: 'warning',
    message,
    remedy: 'Make room: models, pictures and the database need it.',
  };
}

async function checkDatabase({ config, withDatabase }: DoctorParts): Promise<Finding> {
  const kind = config.database === undefined ? 'embedded' : 'PostgreSQL';
  try {
    const stacks = await withDatabase(async (pool) => {
      const query = sql`select count(*) from stacks where disabled_at is null`;
      return (await queryRow(pool, countRow, query)).count;
    });
    return { check: 'database', result: 'ok', message: `${kind}, ${stacks} active stack(s)` };
  } catch (error) {
    return failure(
      'database',
      `${kind}: ${messageOf(error)}`,
      config.database === undefined
        ? 'End the other process that uses the data folder, or choose another data_dir.'
        : 'Check database.url (or DATABASE_URL) and that the server runs.',
    );
  }
}

async function checkBlobs({ openBlobs, signal }: DoctorParts): Promise<Finding> {
  try {
    const blobs = await openBlobs();
    await blobs.check(signal);
    return { check: 'blobs', result: 'ok', message: 'a file was written, read back and removed' };
  } catch (error) {
    return failure(
      'blobs',
      messageOf(error),
      'Check the blobs section of the configuration, and room on the disk.',
    );
  }
}

async function checkPort({ server }: Config): Promise<Finding> {
  const { host, port } = server;
  const problem = await listenProblem(host, port);
  if (problem === undefined) return { check: 'port', result: 'ok', message: `${host}:${port} is free` };
  if (problem === 'EADDRINUSE' && (await isStackgate(server))) {
    return { check: 'port', result: 'ok', message: `a gateway is running on ${host}:${port}` };
  }
  return failure(
    'port',
    `${host}:${port} cannot be listened on: ${problem}`,
    'Choose another server.port (or STACKGATE_PORT), or end what uses it.',
  );
}

function listenProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

async function isStackgate({ host, port, tls }: Config['server']): Promise<boolean> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const url = `${tls === undefined ? 'http' : 'https'}://${address}:${port}/healthz`;
  try {
    // Its certificate is for the name that clients know.
    const question = { url, trustsAnyone: true, signal: AbortSignal.timeout(PROBE_MS) };
    const { status, headers } = await askServer(question);
    return status === 200 && String(headers['x-request-id']).startsWith('req_');
  } catch {
    return false;
  }
}

function failure(check: string, message: string, remedy: string): Finding {
  return { check, result: 'failure', message, remedy };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
