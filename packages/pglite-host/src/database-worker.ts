import { rmSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { DurableFileSystem } from './durable-file-system.ts';
import { postgresArguments } from './postgres-settings.ts';
import { encodeQuery, encodeText } from './wire-messages.ts';
import type { Extensions, WorkerReport, WorkerRequest, WorkerSetup } from './worker-protocol.ts';

/** Answers are forwarded in chunks of about this size. */
const REPORT_BYTES = 256 * 1024;
const FATAL_LOG_LINE = /^\S+ \S+ \S+ \[\d+\] (?:FATAL|PANIC): /;

const setup: WorkerSetup = workerData;
const port = parentPort;
if (port === null) throw new Error('the database worker must run as a worker thread');

let syncCount = 0;

function report(message: WorkerReport): void {
  port?.postMessage(message);
}

// PGlite ignores the exit of its PostgreSQL and would loop forever, so the thread ends here.
function fail(reason: string): never {
  report({ type: 'failed', reason });
  process.exit(1);
}

function refuseWriteWhenFull(): void {
  if (setup.fullDisk === undefined || Atomics.load(new Int32Array(setup.fullDisk), 0) === 0) return;
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

async function openDatabase(): Promise<PGlite> {
  // PGlite always writes the same process id here; a file left by a kill would prevent the start.
  rmSync(path.join(setup.folder, 'postmaster.pid'), { force: true });
  const files = new DurableFileSystem(setup.folder, {
    synced: () => syncCount++,
    beforeWrite: refuseWriteWhenFull,
  });
  return await PGlite.create({
    fs: files,
    startParams: postgresArguments(),
    extensions: await loadExtensions(setup.extensions ?? {}),
    onStderr: (line) => {
      if (FATAL_LOG_LINE.test(line)) fail(line);
      return false;
    },
  });
}

async function loadExtensions(addresses: Extensions): Promise<Record<string, Extension>> {
  const loaded = Object.entries(addresses).map(async ([name, address]) => [
    name,
    (await import(address))[name],
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}

async function execute(database: PGlite, request: Uint8Array): Promise<void> {
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  const sendPieces = (): void => {
    if (pieceBytes > 0) report({ type: 'data', bytes: Buffer.concat(pieces) });
    pieces = [];
    pieceBytes = 0;
  };
  const onRawData = (bytes: Uint8Array): void => {
    pieces.push(Buffer.from(bytes));
    pieceBytes += bytes.length;
    if (pieceBytes >= REPORT_BYTES) sendPieces();
  };
  await database.execProtocolRawStream(request, { syncToFs: false, onRawData });
  sendPieces();
}

async function readGreeting(database: PGlite): Promise<Buffer> {
  const version = Buffer.from([0, 3, 0, 0]);
  const parameters = ['user', 'postgres', 'database', 'postgres', ''].map(encodeText);
  const body = Buffer.concat([version, ...parameters]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  const greeting: Buffer[] = [];
  const onRawData = (bytes: Uint8Array): void => {
    greeting.push(Buffer.from(bytes));
  };
  await database.execProtocolRawStream(Buffer.concat([length, body]), { syncToFs: false, onRawData });
  return Buffer.concat(greeting);
}

async function probeDurability(database: PGlite): Promise<void> {
  const before = syncCount;
  const probe = encodeQuery("SELECT pg_logical_emit_message(true, 'probe', 'durability')");
  await database.execProtocolRawStream(probe, { syncToFs: false, onRawData: () => {} });
  if (syncCount === before) fail('a commit did not reach the disk: refusing to run without fsync');
}

async function answer(database: PGlite, request: WorkerRequest): Promise<void> {
  if (request.type === 'execute') {
    await execute(database, request.bytes);
    report({ type: 'done' });
    return;
  }
  await database.close();
  report({ type: 'closed' });
}

try {
  const database = await openDatabase();
  database.Module.onAbort = () => fail('PostgreSQL aborted');
  const greeting = await readGreeting(database);
  await probeDurability(database);
  port.on('message', (request: WorkerRequest) => {
    answer(database, request).catch((error: unknown) => fail(String(error)));
  });
  report({ type: 'ready', greeting });
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
