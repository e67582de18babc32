import type pg from 'pg';
import { takeClient } from './take-client.ts';

/** Runs work in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await takeClient(pool);
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      // The connection is of no use any more; the pool must not hand it out again.
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
