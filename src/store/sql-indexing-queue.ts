import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Chunk } from '../knowledge/chunk.ts';
import {
  type ChunkVectors,
  type IndexingQueue,
  type IndexingTask,
  TaskLost,
} from '../knowledge/indexing-queue.ts';
import { storableText } from './storable-text.ts';

const DEFAULT_LEASE_MS = 30_000;
/** Passages that one statement stores: few enough that nobody has to wait for it. */
const CHUNKS_AT_ONCE = 100;

interface TaskRow extends Omit<IndexingTask, 'kind' | 'cutChunks' | 'holder'> {
  readonly isFound: boolean;
  readonly cutChunks: number | null;
}

/** The indexing queue in the database. Statements are short, and each makes sure that the task is still its own. */
export class SqlIndexingQueue implements IndexingQueue {
  readonly #pool: pg.Pool;
  readonly #blobs: BlobStore;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, blobs: BlobStore, leaseMs = DEFAULT_LEASE_MS) {
    this.#pool = pool;
    this.#blobs = blobs;
    this.#leaseMs = leaseMs;
  }

  async take(ask: {
    model: string;
    embedsAnew: boolean;
    afterStack?: string | undefined;
  }): Promise<IndexingTask | undefined> {
    const holder = randomUUID();
    const { rows } = await this.#pool.query<TaskRow>({
      name: 'take_knowledge_document',
      text: `update knowledge_documents set holder = $1, lease_until = now() + make_interval(secs => $2 / 1000.0),
          attempts = attempts + 1, state = case state when 'queued' then 'indexing' else state end,
          embedding_model = case when state in ('ready', 'failed') then null else embedding_model end
        where id = (
          select id from knowledge_documents
          where (lease_until is null or lease_until <= now()) and retry_at <= now() and (state in ('queued', 'indexing')
            or $4 and searchable_version is not null and embedding_model is distinct from $3)
          order by state in ('ready', 'failed'), stack_id <= $5, stack_id, retry_at, id limit 1 for update skip locked)
        returning id as "documentId", stack_id as "stackId", name, attempts, state in ('ready', 'failed') as "isFound",
          case when state in ('ready', 'failed') then searchable_version else version end as version, cut_chunks as "cutChunks"`,
      // Round the stacks in the order of their ids, from the one after the last.
      values: [holder, this.#leaseMs, ask.model, ask.embedsAnew, ask.afterStack ?? ''],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    const { isFound, cutChunks, ...task } = row;
    return { ...task, kind: isFound ? 'embed' : 'index', cutChunks: cutChunks ?? undefined, holder };
  }

  async renew(task: IndexingTask): Promise<void> {
    await this.#change(task, 'lease_until = now() + make_interval(secs => $3 / 1000.0)', [this.#leaseMs]);
  }

  async readBytes(task: IndexingTask, signal: AbortSignal): Promise<Uint8Array> {
    const { rows } = await this.#pool.query<{ blob: string }>(
      'select blob from knowledge_documents where id = $1 and holder = $2',
      [task.documentId, task.holder],
    );
    const blob = rows[0]?.blob;
    if (blob === undefined) throw new TaskLost();
    const bytes = await this.#blobs.get(parseBlobKey(blob), signal);
    if (bytes === undefined) throw new Error('the bytes of the document are not in the blob store');
    return bytes;
  }

  async storeChunks(task: IndexingTask, chunks: readonly Chunk[], signal: AbortSignal): Promise<void> {
    await this.#removeChunks(task, signal);
    for (let start = 0; start < chunks.length; start += CHUNKS_AT_ONCE) {
      signal.throwIfAborted();
      await this.#insertChunks(task, chunks.slice(start, start + CHUNKS_AT_ONCE));
    }
    // What was hard is done; from here on the count is of something else.
    await this.#change(task, 'cut_chunks = $3, attempts = 0', [chunks.length]);
  }

  async withoutVectors(
    task: IndexingTask,
    model: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly Chunk[]> {
    const { rows } = await this.#pool.query<Chunk & { page: number | null }>({
      name: 'knowledge_without_vectors',
      text: `select ordinal as position, text, headings, page from knowledge_chunks
        where document_id = $1 and version = $2 and ordinal > $4 and embedding_model is distinct from $3
        order by ordinal limit $5`,
      values: [task.documentId, task.version, model, after, limit],
    });
    return rows.map(({ page, ...chunk }) => ({ ...chunk, page: page ?? undefined }));
  }

  async storeVectors(task: IndexingTask, model: string, vectors: readonly ChunkVectors[]): Promise<void> {
    const { rowCount } = await this.#pool.query({
      name: 'store_knowledge_vectors',
      text: `with task as (${TASK_ROW})
        update knowledge_chunks set vectors = given.vectors, embedding_model = $3
        from task, unnest($4::integer[], $5::bytea[]) as given (ordinal, vectors)
        where document_id = task.id and knowledge_chunks.version = $6 and knowledge_chunks.ordinal = given.ordinal`,
      values: [
        task.documentId,
        task.holder,
        model,
        vectors.map(({ position }) => position),
        vectors.map(({ vectors: bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
        task.version,
      ],
    });
    if (rowCount !== vectors.length) throw new TaskLost();
    // Passages get their vectors in order, so the last one tells how far it is.
    const done = Math.max(...vectors.map(({ position }) => position)) + 1;
    if (task.kind === 'index')
      await this.#change(task, 'progress = $3::double precision / cut_chunks', [done]);
  }

  async finish(task: IndexingTask, model: string | undefined): Promise<void> {
    const change =
      task.kind === 'embed'
        ? 'embedding_model = $3'
        : `embedding_model = $3, state = 'ready', progress = 1, failure = null, searchable_version = version, chunks = cut_chunks, updated_at = now()`;
    await this.#change(task, `${change}, attempts = 0, ${RELEASED}`, [model ?? null]);
  }

  async fail(task: IndexingTask, failure: string): Promise<void> {
    const change = `state = 'failed', failure = $3, attempts = 0, updated_at = now(), ${RELEASED}`;
    await this.#change(task, change, [storableText(failure)]);
  }

  async postpone(task: IndexingTask, later: { delayMs: number; reason: string }): Promise<void> {
    const change = `${WAITING}, retry_at = now() + make_interval(secs => $3 / 1000.0),
      failure = case state when 'indexing' then $4 else failure end`;
    await this.#change(task, change, [later.delayMs, storableText(later.reason)]);
  }

  async giveBack(task: IndexingTask): Promise<void> {
    await this.#change(task, `${WAITING}, attempts = greatest(attempts - 1, 0)`, []);
  }

  async #change(task: IndexingTask, change: string, values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#pool.query(
      `update knowledge_documents set ${change} where id = $1 and holder = $2`,
      [task.documentId, task.holder, ...values],
    );
    if (rowCount === 0) throw new TaskLost();
  }

  async #insertChunks(task: IndexingTask, chunks: readonly Chunk[]): Promise<void> {
    const { rowCount } = await this.#pool.query({
      name: 'insert_knowledge_chunks',
      text: `with task as (${TASK_ROW})
        insert into knowledge_chunks (document_id, version, ordinal, text, headings, page)
        select task.id, task.version, position, text, array(select jsonb_array_elements_text(headings)), page
        from task, jsonb_to_recordset($3::jsonb) as given (position integer, text text, headings jsonb, page integer)`,
      values: [task.documentId, task.holder, JSON.stringify(chunks.map(storableChunk))],
    });
    if (rowCount !== chunks.length) throw new TaskLost();
  }

  async #removeChunks({ documentId, version, holder }: IndexingTask, signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted();
      const { rowCount } = await this.#pool.query(
        `with task as (${TASK_ROW})
         delete from knowledge_chunks using task where document_id = task.id and knowledge_chunks.version = $3
           and ordinal in (select ordinal from knowledge_chunks where document_id = $1 and version = $3 limit ${CHUNKS_AT_ONCE})`,
        [documentId, holder, version],
      );
      isMore = rowCount === CHUNKS_AT_ONCE;
    }
  }
}

const RELEASED = 'holder = null, lease_until = null';
const WAITING = `${RELEASED}, state = case state when 'indexing' then 'queued' else state end`;
// Locked, so that the document cannot go or change between this look and what is written after it.
const TASK_ROW = 'select id, version from knowledge_documents where id = $1 and holder = $2 for share';

function storableChunk(chunk: Chunk): Chunk {
  return { ...chunk, text: storableText(chunk.text), headings: chunk.headings.map(storableText) };
}
