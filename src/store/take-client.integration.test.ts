import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createDatabase } from '../../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { isDatabaseAway } from './database-errors.ts';
import { execute, queryRow } from './query.ts';
import { sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const pidRow = z.object({ pid: z.number() });

describe.runIf(realPostgresAvailable)('a connection that is lost while a transaction holds it', () => {
  it('fails the transaction as an unavailable database, and the next one has a new connection', async () => {
    const pool = new pg.Pool({ connectionString: await createDatabase(), max: 2 });
    onTestFinished(() => pool.end());
    const lost = inTransaction(pool, async (client) => {
      const { pid } = await queryRow(client, pidRow, sql`select pg_backend_pid() as pid`);
      // Not `once` of node:events: it also rejects on the 'error' that comes first, before it is awaited.
      const ended = new Promise((resolve) => client.once('end', resolve));
      await execute(pool, sql`select pg_terminate_backend(${pid})`);
      await ended;
      await execute(client, sql`select 1`);
    });
    await expect(lost).rejects.toSatisfy(isDatabaseAway);
    expect(await inTransaction(pool, (client) => execute(client, sql`select 1`))).toBe(1);
  });
});
