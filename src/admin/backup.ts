import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { AgeReaders } from '../lib/age/age-header.ts';
import { encryptAge } from '../lib/age/age-stream.ts';
import { errorCode } from '../lib/error-code.ts';
import { migrationNames } from '../store/migrate.ts';
import { dumpRows } from '../store/row-dump.ts';
import { isIdempotencyBlob } from '../store/sql-idempotency-book.ts';
import { backupHead, rowLine } from './backup-file.ts';
import { OperatorError } from './operator-error.ts';

export interface BackupSource {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Those who can read the backup; absent: anyone who has the file. */
  readonly readers?: AgeReaders | undefined;
}

export interface BackupCounts {
  readonly rows: number;
  readonly blobs: number;
}

const PIECE_BYTES = 48 * 1024;

/** Writes all rows and blobs to one file, which gets its name only when it is complete. */
export async function writeBackup(path: string, source: BackupSource): Promise<BackupCounts> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  let counts: BackupCounts;
  try {
    // It contains secrets only as hashes, but also tenants' prompts and pictures.
    const file = createWriteStream(aside, { mode: 0o600, flags: 'wx', flush: true });
    counts = await sendBackup(source, (pieces, signal) => pipeline(pieces, file, { signal }));
    await rename(aside, path);
  } catch (error) {
    await unlink(aside).catch(() => {});
    throw writeProblem(error, aside);
  }
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
  return counts;
}

/** Sends the bytes of a backup somewhere, piece by piece. */
export async function sendBackup(
  source: BackupSource,
  send: (pieces: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<void>,
): Promise<BackupCounts> {
  const { readers, signal } = source;
  const counts = { rows: 0, blobs: 0 };
  const packed = createGzip();
  // A side that fails ends the other one.
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const failing = (error: unknown) => {
    stop.abort(error);
    throw error;
  };
  const packing = pipeline(linesOf(source, counts), packed, { signal: either });
  const pieces = readers === undefined ? packed : encryptAge(packed, readers);
  await Promise.all([packing.catch(failing), send(pieces, either).catch(failing)]).catch((error: unknown) => {
    throw stop.signal.aborted ? stop.signal.reason : error;
  });
  return counts;
}

function writeProblem(error: unknown, aside: string): unknown {
  const code = errorCode(error);
  const isOwn = error instanceof Error && 'path' in error && error.path === aside && code !== undefined;
  return isOwn ? new OperatorError(`the backup cannot be written: ${code}`) : error;
}

async function* linesOf(
  source: BackupSource,
  counts: { rows: number; blobs: number },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const line of contentLines(source, counts)) {
    hash.update(line).update('\n');
    yield `${line}\n`;
  }
  yield `${JSON.stringify({ end: { ...counts, sha256: hash.digest('hex') } })}\n`;
}

async function* contentLines(
  source: BackupSource,
  counts: { rows: number; blobs: number },
): AsyncGenerator<string> {
  yield JSON.stringify(backupHead(source.version, await migrationNames(), new Date()));
  for await (const batch of dumpRows(source.pool)) {
    yield JSON.stringify({ table: batch.table });
    for (const row of batch.rows) yield rowLine(row);
    counts.rows += batch.rows.length;
  }
  for await (const { key } of source.blobs.list('', source.signal)) {
    if (isIdempotencyBlob(key)) continue;
    const bytes = await source.blobs.get(key, source.signal);
    // Removed since it was listed: its row is about to go as well.
    if (bytes === undefined) continue;
    yield JSON.stringify({ blob: key });
    for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
      yield JSON.stringify({
        bytes: Buffer.from(bytes.subarray(offset, offset + PIECE_BYTES)).toString('base64'),
      });
    }
    counts.blobs++;
  }
}
