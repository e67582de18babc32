import type pg from 'pg';
import type { StorageBook } from '../access/storage-room.ts';
import { orDatabaseAway } from './database-errors.ts';

const STORED = `select (
    coalesce((select sum(size_bytes) from images where stack_id = $1 and expires_at > now()), 0)
    + coalesce((select sum(size_bytes) from knowledge_documents where stack_id = $1), 0)
  )::text as bytes`;

/** Adds up what the rows of a stack say of their bytes. */
export class SqlStorageBook implements StorageBook {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async storedBytes(stackId: string): Promise<number> {
    const asked = this.#pool.query<{ bytes: string }>({
      name: 'stored_bytes',
      text: STORED,
      values: [stackId],
    });
    const { rows } = await orDatabaseAway(asked);
    return Number(rows[0]?.bytes ?? 0);
  }
}
