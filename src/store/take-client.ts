import type pg from 'pg';

/** Takes a connection out of the pool. When it is lost between two queries, the next query says so. */
export async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  return client.off('error', heardByNextQuery).on('error', heardByNextQuery);
}

// The pool listens to idle connections only; the loss of one in use would end the process if nobody did.
function heardByNextQuery(): void {}
