import { basename } from 'node:path';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { AgeSecrets } from '../lib/age/age-header.ts';
import { findAuditHead, recordAudit } from '../store/audit-trail.ts';
import { migrationNames } from '../store/migrate.ts';
import { DatabaseNotEmpty, loadRows, type RowBatch, requireEmptyTables } from '../store/row-dump.ts';
import { dropSearchTables } from '../store/search-tables.ts';
import { isIdempotencyBlob } from '../store/sql-idempotency-book.ts';
import { inTransaction } from '../store/transaction.ts';
import type { BackupCounts } from './backup.ts';
import { type BackupHead, readBackup, type VerifiedBackup, verifyBackup } from './backup-file.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorStorage } from './operator-storage.ts';

export interface RestoreTarget extends OperatorStorage {
  /** Empty the database first. */
  readonly replace: boolean;
  /** For an encrypted backup. */
  readonly secrets?: AgeSecrets;
}

const BATCH_ROWS = 200;

/**
 * Restores a backup. Nothing is changed before the whole file is verified and the database is known to be free; rows come last,
 * in one transaction.
 */
export async function restoreBackup(path: string, target: RestoreTarget): Promise<BackupCounts> {
  await checkBackup(path, target.secrets);
  if (!target.replace) await refusingFull(() => requireEmptyTables(target.pool));
  const kept = await restoreBlobs(path, target);
  const rows = await restoreRows(path, target);
  if (target.replace) await removeOtherBlobs(kept, target);
  return { rows, blobs: kept.size };
}

/** Reads a whole backup, and checks that this version can restore it; changes nothing. */
export async function checkBackup(path: string, secrets: AgeSecrets = {}): Promise<VerifiedBackup> {
  const verified = await verifyBackup(path, secrets);
  await requireSameSchema(verified.head);
  return verified;
}

async function requireSameSchema(head: BackupHead): Promise<void> {
  const own = await migrationNames();
  if (own.length === head.migrations.length && own.every((name, index) => name === head.migrations[index]))
    return;
  throw new OperatorError(
    `the backup was made by version ${head.version} with another database schema: restore it with that version, then upgrade`,
  );
}

/** The audit of the backup takes the place of the one that was there; the last state of that one is recorded in it. */
async function restoreRows(
  path: string,
  { pool, operator, replace, secrets }: RestoreTarget,
): Promise<number> {
  const head = await inTransaction(pool, findAuditHead);
  const before = head && { audit: { sequence: head.sequence, hash: head.hash } };
  return refusingFull(() =>
    loadRows(pool, rowBatches(path, secrets), {
      replace,
      finish: async (client, rows) => {
        // They are made of the rows that were replaced; the gateway makes them again when it starts.
        await dropSearchTables(client);
        const action = { action: 'backup.restore', target: basename(path), after: { rows, replace } };
        await recordAudit(client, operator, { ...action, ...(before && { before }) });
      },
    }),
  );
}

async function refusingFull<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseNotEmpty)) throw error;
    throw new OperatorError(
      `the database is not empty (${error.message}): restore into a new one, or add --replace`,
    );
  }
}

async function* rowBatches(path: string, secrets: AgeSecrets = {}): AsyncGenerator<RowBatch> {
  let table = '';
  let rows: string[] = [];
  for await (const part of readBackup(path, secrets)) {
    const isFull = rows.length === BATCH_ROWS;
    if (rows.length > 0 && (isFull || !('row' in part))) {
      yield { table, rows };
      rows = [];
    }
    if ('row' in part) rows.push(part.row);
    else if ('table' in part) table = part.table;
    else break;
  }
}

async function restoreBlobs(
  path: string,
  { blobs, signal, secrets = {} }: RestoreTarget,
): Promise<ReadonlySet<string>> {
  const restored = new Set<string>();
  let open: { readonly key: string; readonly pieces: Buffer[] } | undefined;
  const close = async () => {
    if (open === undefined) return;
    await blobs.put(parseBlobKey(open.key), Buffer.concat(open.pieces), signal);
    restored.add(open.key);
  };
  for await (const part of readBackup(path, secrets)) {
    if ('bytes' in part) open?.pieces.push(Buffer.from(part.bytes, 'base64'));
    if ('blob' in part || 'end' in part) await close();
    if ('blob' in part) open = { key: part.blob, pieces: [] };
  }
  return restored;
}

async function removeOtherBlobs(kept: ReadonlySet<string>, { blobs, signal }: RestoreTarget): Promise<void> {
  for await (const { key } of blobs.list('', signal)) {
    if (!kept.has(key) && !isIdempotencyBlob(key)) await blobs.delete(key, signal);
  }
}
