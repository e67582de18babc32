import type pg from 'pg';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';

/** How long bytes may be without a document that names them, because it is being saved. */
const SAVING_MINUTES = 60;
const PAGE = 100;
/** Passages that one statement removes: few enough that nobody has to wait for it. */
const CHUNKS_AT_ONCE = 200;

interface Leftover {
  readonly id: string;
  readonly blob: string | null;
  readonly documentId: string | null;
  readonly version: number | null;
}

/** What is still to be removed. A trigger puts it on record in the transaction that makes it useless. */
export class KnowledgeLeftovers {
  readonly #pool: pg.Pool;
  readonly #blobs: BlobStore;

  constructor(pool: pg.Pool, blobs: BlobStore) {
    this.#pool = pool;
    this.#blobs = blobs;
  }

  /** Notes bytes before they are put: if no document comes to name them, they go. */
  async expect(blob: string): Promise<void> {
    await this.#pool.query(
      'insert into knowledge_leftovers (blob, remove_at) values ($1, now() + make_interval(mins => $2))',
      [blob, SAVING_MINUTES],
    );
  }

  /** Says that no document will name the bytes. */
  async drop(blob: string): Promise<void> {
    await this.#pool.query('update knowledge_leftovers set remove_at = now() where blob = $1', [blob]);
  }

  /** Removes everything that is due. */
  async remove(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { rows } = await this.#pool.query<Leftover>(
        `select id::text, blob, document_id as "documentId", version from knowledge_leftovers
         where remove_at <= now() order by id limit ${PAGE}`,
      );
      for (const leftover of rows) await this.#removeOne(leftover, signal);
      if (rows.length < PAGE) return;
    }
  }

  async #removeOne({ id, blob, documentId, version }: Leftover, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (blob !== null) await this.#blobs.delete(parseBlobKey(blob), signal);
    if (documentId !== null) await this.#removeChunks(documentId, version, signal);
    await this.#pool.query('delete from knowledge_leftovers where id = $1', [id]);
  }

  async #removeChunks(documentId: string, version: number | null, signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted();
      const { rowCount } = await this.#pool.query(
        `delete from knowledge_chunks where document_id = $1 and version = $2 and ordinal in (
           select ordinal from knowledge_chunks where document_id = $1 and version = $2 limit ${CHUNKS_AT_ONCE})`,
        [documentId, version],
      );
      isMore = rowCount === CHUNKS_AT_ONCE;
    }
  }
}
