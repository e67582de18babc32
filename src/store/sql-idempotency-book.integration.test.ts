import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import {
  claimOf,
  describeIdempotencyBook,
  newRequest,
} from '../../testing/idempotency/describe-idempotency-book.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import type { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { execute, queryRows, wholeNumber } from './query.ts';
import { sql } from './sql.ts';
import { SqlIdempotencyBook } from './sql-idempotency-book.ts';

const totalsRow = z.object({ answers: wholeNumber, sizeBytes: wholeNumber });
const LARGE = Buffer.alloc(100_000, 7);

describeOnDatabases('SqlIdempotencyBook', (database) => {
  const open = (bounds: { mostAnswers?: number; mostBytes?: number } = {}) => {
    const blobs = new BrokenBlobStore();
    return { blobs, book: new SqlIdempotencyBook({ pool: database().pool, blobs, ...bounds }) };
  };
  const names = async (blobs: MemoryBlobStore) => {
    const entries = [];
    for await (const { key } of blobs.list('', AbortSignal.timeout(5_000))) entries.push(key);
    return entries;
  };
  const age = (table = sql`idempotent_requests`) =>
    execute(
      database().pool,
      sql`update ${table} set expires_at = now(), created_at = now() - interval '24 hours'`,
    );
  const totals = async () => {
    const query = sql`select answers, size_bytes from idempotency_totals`;
    const rows = await queryRows(database().pool, totalsRow, query);
    return rows.map(({ answers, sizeBytes }) => [answers, sizeBytes]);
  };

  describeIdempotencyBook('SqlIdempotencyBook', () => ({
    book: open().book,
    endLeases: async () => {
      await execute(database().pool, sql`update idempotent_requests set lease_until = now()`);
    },
  }));

  it('forgets an answer after a day, with its blob', async () => {
    const { book, blobs } = open();
    const request = newRequest();
    await book.keep(await claimOf(book, request), LARGE);
    expect(await names(blobs)).toHaveLength(1);
    await age();
    await claimOf(book, request);
    expect(await names(blobs)).toEqual([]);
    expect(await totals()).toEqual([[0, 0]]);
  });

  it('sweeps everything that is over: answers, blobs, and claims of dead processes', async () => {
    const { book, blobs } = open();
    await book.keep(await claimOf(book, newRequest()), LARGE);
    await book.keep(await claimOf(book, newRequest()), Buffer.from('small'));
    await claimOf(book, newRequest());
    await age();
    await execute(
      database().pool,
      sql`update idempotent_requests set lease_until = now() where holder is not null`,
    );
    const running = newRequest();
    await claimOf(book, running);
    expect(await book.sweep(AbortSignal.timeout(5_000))).toEqual({ answers: 3 });
    expect((await book.claim(running)).state).toBe('running');
    expect(await names(blobs)).toEqual([]);
    expect(await totals()).toEqual([[0, 0]]);
  });

  it('keeps as many answers and bytes of a stack as it may, the newest', async () => {
    const { book, blobs } = open({ mostAnswers: 3, mostBytes: 250_000 });
    const requests = [];
    for (let index = 0; index < 5; index++) {
      const request = newRequest();
      requests.push(request);
      await book.keep(await claimOf(book, request), Buffer.from([index]));
    }
    const other = newRequest('another');
    await book.keep(await claimOf(book, other), LARGE);
    const states = [];
    for (const request of requests.slice(2)) states.push((await book.claim(request)).state);
    expect(states).toEqual(['kept', 'kept', 'kept']);
    for (let index = 0; index < 3; index++) await book.keep(await claimOf(book, newRequest()), LARGE);
    expect(await names(blobs)).toHaveLength(3);
    expect((await totals()).sort()).toEqual([
      [1, 100_000],
      [2, 200_000],
    ]);
    expect((await book.claim(requests[0] ?? other)).state).toBe('claimed');
  });

  it('says 503 when a kept answer cannot be read, and does not run its request again', async () => {
    const { book, blobs } = open();
    const request = newRequest();
    await book.keep(await claimOf(book, request), LARGE);
    blobs.getFailure = new Error('SlowDown');
    await expect(book.claim(request)).rejects.toMatchObject({ code: 'storage-away', status: 503 });
    blobs.getFailure = undefined;
    expect(await book.claim(request)).toMatchObject({ state: 'kept' });
  });

  it('runs a request again whose blob is lost', async () => {
    const { book, blobs } = open();
    const request = newRequest();
    await book.keep(await claimOf(book, request), LARGE);
    for (const key of await names(blobs)) await blobs.delete(key, AbortSignal.timeout(5_000));
    expect((await book.claim(request)).state).toBe('claimed');
  });
});
