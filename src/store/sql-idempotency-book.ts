import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type {
  ClaimResult,
  IdempotencyBook,
  NamedRequest,
  RequestClaim,
} from '../idempotency/idempotency-book.ts';
import { orDatabaseAway } from './database-errors.ts';
import { execute, findRow, queryRows, wholeNumber } from './query.ts';
import { readBlob } from './read-blob.ts';
import { removeBlobs } from './remove-blobs.ts';
import { prepared, type Sql, sql } from './sql.ts';

const KEPT_HOURS = 24;
const LEASE_MS = 30_000;
/** A larger answer is kept in the blob store. */
const MOST_INLINE_BYTES = 64 * 1024;
/** Of one stack; beyond that the oldest answers go early. */
const MOST_ANSWERS = 100_000;
const MOST_BYTES = 1024 ** 3;
const PAGE = 100;
const BLOB_MS = 30_000;
const BLOB_FOLDER = 'idempotency/';

const claimRow = z.object({
  isClaimed: z.boolean(),
  isExpired: z.boolean(),
  isKept: z.boolean(),
  hasBlob: z.boolean(),
  fingerprint: z.string(),
  answer: z.instanceof(Uint8Array).nullable(),
});
const totalsRow = z.object({ stackId: z.string(), answers: wholeNumber, sizeBytes: wholeNumber });
const keptRow = z.object({ id: z.string(), hasBlob: z.boolean(), sizeBytes: wholeNumber });

type KeptRow = z.infer<typeof keptRow>;

export interface SqlIdempotencyBookOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly leaseMs?: number;
  readonly mostAnswers?: number;
  readonly mostBytes?: number;
}

/** Requests with an Idempotency-Key in the database; large answers are in the blob store. */
export class SqlIdempotencyBook implements IdempotencyBook {
  readonly #options: SqlIdempotencyBookOptions;

  constructor(options: SqlIdempotencyBookOptions) {
    this.#options = options;
  }

  async claim(request: NamedRequest): Promise<ClaimResult> {
    const holder = randomUUID();
    const row = await orDatabaseAway(findRow(this.#options.pool, claimRow, this.#claiming(request, holder)));
    // Another process claimed it in this moment.
    if (row === undefined) return { state: 'running', fingerprint: request.fingerprint };
    if (row.isClaimed) return { state: 'claimed', claim: { id: request.id, holder } };
    if (!row.isKept) return { state: 'running', fingerprint: row.fingerprint };
    const sealed = row.isExpired ? undefined : await this.#sealed(request.id, row);
    if (sealed !== undefined) return { state: 'kept', fingerprint: row.fingerprint, sealed };
    await this.#remove([{ id: request.id, hasBlob: row.hasBlob }], AbortSignal.timeout(BLOB_MS));
    return await this.claim(request);
  }

  async renew({ id, holder }: RequestClaim): Promise<void> {
    const { leaseMs = LEASE_MS } = this.#options;
    await execute(
      this.#options.pool,
      sql`update idempotent_requests set lease_until = now() + make_interval(secs => ${leaseMs} / 1000.0)
        where id = ${id} and holder = ${holder}`,
    );
  }

  async keep({ id, holder }: RequestClaim, sealed: Uint8Array): Promise<void> {
    const { pool } = this.#options;
    const hasBlob = sealed.byteLength > MOST_INLINE_BYTES;
    if (hasBlob && !(await this.#putBlob({ id, holder }, sealed))) return;
    const statement = prepared(
      'keep_idempotent_answer',
      sql`with kept as (
          update idempotent_requests set holder = null, lease_until = null, has_blob = has_blob or ${hasBlob},
            answer = ${hasBlob ? null : Buffer.from(sealed)}, size_bytes = ${sealed.byteLength}
          where id = ${id} and holder = ${holder} returning stack_id, size_bytes)
        insert into idempotency_totals as total select stack_id, 1, size_bytes from kept
        on conflict (stack_id) do update set answers = total.answers + excluded.answers,
          size_bytes = total.size_bytes + excluded.size_bytes
        returning stack_id, answers, size_bytes`,
    );
    const totals = await findRow(pool, totalsRow, statement);
    if (totals !== undefined) await this.#bound(totals);
  }

  async release({ id, holder }: RequestClaim): Promise<void> {
    const isHeld = sql`id = ${id} and holder = ${holder}`;
    // A row with a blob outlives it: the next request may claim it, and a sweep removes both.
    await execute(
      this.#options.pool,
      sql`with ended as (update idempotent_requests set lease_until = '-infinity' where ${isHeld} and has_blob)
        delete from idempotent_requests where ${isHeld} and not has_blob`,
    );
  }

  /** Removes all answers whose time is over. */
  async sweep(signal: AbortSignal): Promise<{ readonly answers: number }> {
    for (let answers = 0; ; ) {
      signal.throwIfAborted();
      const page = await queryRows(
        this.#options.pool,
        keptRow,
        sql`select id, has_blob, size_bytes from idempotent_requests
          where expires_at <= now() and (lease_until is null or lease_until <= now()) order by expires_at limit ${PAGE}`,
      );
      await this.#remove(page, signal);
      answers += page.length;
      if (page.length < PAGE) return { answers };
    }
  }

  #claiming({ id, stackId, fingerprint }: NamedRequest, holder: string): Sql {
    const { leaseMs = LEASE_MS } = this.#options;
    return prepared(
      'claim_idempotent_request',
      sql`with claimed as (
          insert into idempotent_requests as known (id, stack_id, fingerprint, holder, lease_until, expires_at)
          values (${id}, ${stackId}, ${fingerprint}, ${holder}, now() + make_interval(secs => ${leaseMs} / 1000.0),
            now() + make_interval(hours => ${KEPT_HOURS}))
          on conflict (id) do update set fingerprint = excluded.fingerprint, holder = excluded.holder,
            lease_until = excluded.lease_until, created_at = now(), expires_at = excluded.expires_at
          where known.lease_until <= now()
          returning has_blob, known.fingerprint)
        select true as is_claimed, false as is_expired, false as is_kept, has_blob, fingerprint, null::bytea as answer
        from claimed
        union all select false, expires_at <= now(), holder is null, has_blob, fingerprint, answer
        from idempotent_requests where id = ${id} and not exists (select from claimed)`,
    );
  }

  /** The kept answer; undefined if its blob is lost. */
  async #sealed(id: string, { answer }: z.infer<typeof claimRow>): Promise<Uint8Array | undefined> {
    return answer ?? (await readBlob(this.#options.blobs, blobOf(id)));
  }

  /** False if another process took the claim over. */
  async #putBlob({ id, holder }: RequestClaim, sealed: Uint8Array): Promise<boolean> {
    const { pool, blobs } = this.#options;
    const marking = sql`update idempotent_requests set has_blob = true where id = ${id} and holder = ${holder}`;
    if ((await execute(pool, marking)) === 0) return false;
    await blobs.put(blobOf(id), sealed, AbortSignal.timeout(BLOB_MS));
    return true;
  }

  /** Removes the oldest answers of a stack that has too many. */
  async #bound({ stackId, answers, sizeBytes }: z.infer<typeof totalsRow>): Promise<void> {
    const { pool, mostAnswers = MOST_ANSWERS, mostBytes = MOST_BYTES } = this.#options;
    let [tooMany, tooLarge] = [answers - mostAnswers, sizeBytes - mostBytes];
    while (tooMany > 0 || tooLarge > 0) {
      const oldest = await queryRows(
        pool,
        keptRow,
        sql`select id, has_blob, size_bytes from idempotent_requests where stack_id = ${stackId} and holder is null
          order by created_at limit ${PAGE}`,
      );
      if (oldest.length === 0) return;
      const removed = oldest.filter((row) => {
        const isOver = tooMany > 0 || tooLarge > 0;
        tooMany -= 1;
        tooLarge -= row.sizeBytes;
        return isOver;
      });
      await this.#remove(removed, AbortSignal.timeout(BLOB_MS));
    }
  }

  /** Removes blobs first, so that a row lasts as long as there is a blob to remove. A row that is claimed again meanwhile stays. */
  async #remove(rows: readonly Pick<KeptRow, 'id' | 'hasBlob'>[], signal: AbortSignal): Promise<void> {
    const { pool, blobs } = this.#options;
    if (rows.length === 0) return;
    const keys = rows.filter(({ hasBlob }) => hasBlob).map(({ id }) => blobOf(id));
    const failed = (await removeBlobs(blobs, keys, signal)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    await execute(
      pool,
      sql`with gone as (
          delete from idempotent_requests where id = any (${rows.map(({ id }) => id)})
            and (lease_until is null or lease_until <= now()) returning stack_id, holder, size_bytes),
        sums as (select stack_id, count(*) as answers, sum(size_bytes) as size_bytes from gone
          where holder is null group by stack_id)
        update idempotency_totals as total set answers = total.answers - sums.answers,
          size_bytes = total.size_bytes - sums.size_bytes
        from sums where total.stack_id = sums.stack_id`,
    );
  }
}

/** Whether a blob is a kept answer. Like its row, it is not part of a backup. */
export function isIdempotencyBlob(key: BlobKey): boolean {
  return key.startsWith(BLOB_FOLDER);
}

function blobOf(id: string): BlobKey {
  return parseBlobKey(`${BLOB_FOLDER}${id.slice(0, 2)}/${id}`);
}
