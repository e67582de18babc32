import type pg from 'pg';
import { z } from 'zod';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';

/** How long a blob may exist before its document is saved. */
const SAVING_MINUTES = 60;
const PAGE = 100;
/** Chunks that one statement removes: few, so that other statements wait only a short time. */
const CHUNKS_AT_ONCE = 200;

const leftoverRow = z.object({
  id: z.string(),
  blob: z.string().nullable(),
  documentId: z.string().nullable(),
  version: z.number().nullable(),
});

/** Blobs and chunks that are still to be removed. A trigger records them in the transaction that makes them useless. */
export class KnowledgeLeftovers {
  readonly #pool: pg.Pool;
  readonly #blobs: BlobStore;

  constructor(pool: pg.Pool, blobs: BlobStore) {
    this.#pool = pool;
    this.#blobs = blobs;
  }

  /** Records a blob before it is stored: it is removed later unless a document names it. */
  async expect(blob: string): Promise<void> {
    await execute(
      this.#pool,
      sql`insert into knowledge_leftovers (blob, remove_at)
        values (${blob}, now() + make_interval(mins => ${SAVING_MINUTES}))`,
    );
  }

  /** Has the blob removed: no document will name it. */
  async drop(blob: string): Promise<void> {
    await execute(this.#pool, sql`update knowledge_leftovers set remove_at = now() where blob = ${blob}`);
  }

  /** Removes everything that is due. */
  async remove(signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftovers = await queryRows(
        this.#pool,
        leftoverRow,
        sql`select id, blob, document_id, version from knowledge_leftovers
          where remove_at <= now() order by id limit ${PAGE}`,
      );
      for (const leftover of leftovers) await this.#removeOne(leftover, signal);
      if (leftovers.length < PAGE) return;
    }
  }

  async #removeOne(
    { id, blob, documentId, version }: z.infer<typeof leftoverRow>,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    if (blob !== null) await this.#blobs.delete(parseBlobKey(blob), signal);
    if (documentId !== null) await this.#removeChunks(documentId, version, signal);
    await execute(this.#pool, sql`delete from knowledge_leftovers where id = ${id}`);
  }

  async #removeChunks(documentId: string, version: number | null, signal: AbortSignal): Promise<void> {
    const ofVersion = sql`document_id = ${documentId} and version = ${version}`;
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted();
      const removed = await execute(
        this.#pool,
        sql`delete from knowledge_chunks where ${ofVersion} and ordinal in (
          select ordinal from knowledge_chunks where ${ofVersion} limit ${CHUNKS_AT_ONCE})`,
      );
      isMore = removed === CHUNKS_AT_ONCE;
    }
  }
}
