import type pg from 'pg';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { takeClient } from './take-client.ts';

/** Runs work in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await takeClient(pool);
  let broken: Error | undefined;
  try {
    await execute(client, sql`begin`);
    const result = await work(client);
    await execute(client, sql`commit`);
    return result;
  } catch (error) {
    await execute(client, sql`rollback`).catch((rollbackError: Error) => {
      // The connection is unusable; the pool must not hand it out again.
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
