import { expect, it } from 'vitest';
import { SqlChunkSource } from './sql-chunk-source.ts';

const never = new AbortController().signal;

it('tells that the database is away, so that a search is refused with 503', async () => {
  const pool = { query: () => Promise.reject(new Error('Connection terminated unexpectedly')) };
  const source = new SqlChunkSource(pool);
  const away = { code: 'database-away', status: 503 };
  await expect(source.generation('shop', never)).rejects.toMatchObject(away);
  await expect(source.contents('shop', never)).rejects.toMatchObject(away);
});
