import type pg from 'pg';

/** Takes a connection out of the pool. When it breaks between two queries, the next query fails. */
export async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  return client.off('error', heardByNextQuery).on('error', heardByNextQuery);
}

// The pool listens to idle connections only. Without a listener, the loss of one in use would end the process.
function heardByNextQuery(): void {}
