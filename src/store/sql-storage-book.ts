import type pg from 'pg';
import { z } from 'zod';
import type { StorageBook } from '../access/storage-room.ts';
import { orDatabaseAway } from './database-errors.ts';
import { queryRow, wholeNumber } from './query.ts';
import { prepared, sql } from './sql.ts';

const storedRow = z.object({ bytes: wholeNumber });

/** Adds up the sizes in the rows of a stack. */
export class SqlStorageBook implements StorageBook {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async storedBytes(stackId: string): Promise<number> {
    const query = prepared(
      'stored_bytes',
      sql`select coalesce((select sum(size_bytes) from images where stack_id = ${stackId} and expires_at > now()), 0)
        + coalesce((select sum(size_bytes) from files where stack_id = ${stackId} and expires_at > now()), 0)
        + coalesce((select sum(size_bytes) from knowledge_documents where stack_id = ${stackId}), 0)
        + coalesce((select sum(size_bytes) from responses where stack_id = ${stackId}), 0)
        + coalesce((select sum(size_bytes) from conversations where stack_id = ${stackId}), 0) as bytes`,
    );
    const { bytes } = await orDatabaseAway(queryRow(this.#pool, storedRow, query));
    return bytes;
  }
}
