import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { isDatabaseAway } from './database-errors.ts';
import { inTransaction } from './transaction.ts';

describe.runIf(realPostgresAvailable)('a connection that is lost while a transaction holds it', () => {
  it('fails the transaction as an absent database, and the next one has a new connection', async () => {
    const pool = new pg.Pool({ connectionString: await createDatabase(), max: 2 });
    onTestFinished(() => pool.end());
    const lost = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // Not `once` of node:events: it also rejects on the 'error' that comes first, while nobody awaits it yet.
      const ended = new Promise((resolve) => client.once('end', resolve));
      await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await ended;
      await client.query('select 1');
    });
    await expect(lost).rejects.toSatisfy(isDatabaseAway);
    const next = await inTransaction(pool, (client) => client.query('select 1 as one'));
    expect(next.rows).toEqual([{ one: 1 }]);
  });
});
