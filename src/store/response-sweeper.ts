import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import { execute } from './query.ts';
import { ResponseParts } from './response-parts.ts';
import { type Sql, sql } from './sql.ts';

export interface ResponseSweeperOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly pageRows?: number;
}

/** How much a sweep removed. */
export interface ResponseSweepCounts {
  readonly responses: number;
  readonly conversations: number;
  readonly blobs: number;
}

const PAGE_ROWS = 100;

/**
 * Removes expired responses and conversations, and blobs without a row. It needs no lease: processes that sweep at the same time
 * skip each other's rows, and a blob that another one has removed is removed.
 */
export class ResponseSweeper {
  readonly #options: ResponseSweeperOptions;
  readonly #parts: ResponseParts;

  constructor(options: ResponseSweeperOptions) {
    this.#options = options;
    this.#parts = new ResponseParts(options.pool, options.blobs);
  }

  /** One complete sweep, in pages. */
  async sweep(signal: AbortSignal): Promise<ResponseSweepCounts> {
    const { pageRows = PAGE_ROWS } = this.#options;
    // A response that others follow is a part of them; chains go from their newest response to the oldest, one page at a time.
    const responses = await this.#removePages(
      sql`delete from responses where id in (
        select id from responses as expired where expires_at <= now()
          and not exists (select from responses as later where later.previous_id = expired.id and later.stack_id = expired.stack_id)
        order by expires_at limit ${pageRows} for update skip locked)`,
      signal,
    );
    const conversations = await this.#removePages(
      sql`delete from conversations where id in (
        select id from conversations where expires_at <= now() order by expires_at limit ${pageRows} for update skip locked)`,
      signal,
    );
    return { responses, conversations, blobs: await this.#parts.removeLeftovers(signal) };
  }

  /** A page may make more rows removable, so only an empty one is the last. */
  async #removePages(statement: Sql, signal: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      signal.throwIfAborted();
      const count = await execute(this.#options.pool, statement);
      if (count === 0) return removed;
      removed += count;
    }
  }
}
