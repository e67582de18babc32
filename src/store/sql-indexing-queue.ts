import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Chunk } from '../knowledge/chunk.ts';
import {
  type ChunkVectors,
  type IndexingQueue,
  type IndexingTask,
  TaskLost,
} from '../knowledge/indexing-queue.ts';
import { execute, findRow, queryRows } from './query.ts';
import { prepared, type Sql, sql } from './sql.ts';
import { storableText } from './storable-text.ts';

const DEFAULT_LEASE_MS = 30_000;
/** Chunks that one statement stores: few, so that other statements wait only a short time. */
const CHUNKS_AT_ONCE = 100;

const taskRow = z.object({
  documentId: z.string(),
  stackId: z.string(),
  name: z.string(),
  version: z.number(),
  kind: z.enum(['index', 'embed']),
  attempts: z.number(),
  cutChunks: z.number().nullable(),
  holder: z.string(),
});

const blobRow = z.object({ blob: z.string() });

const chunkRow = z.object({
  position: z.number(),
  text: z.string(),
  headings: z.array(z.string()),
  page: z.number().nullable(),
});

/** The indexing queue in the database. Statements are short, and each checks that the task is still held. */
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
    // Stacks take turns in the order of their ids, from the one after the last.
    const statement = prepared(
      'take_knowledge_document',
      sql`update knowledge_documents set holder = ${randomUUID()}, ${this.#leased()}, attempts = attempts + 1,
          state = case state when 'queued' then 'indexing' else state end,
          embedding_model = case when state in ('ready', 'failed') then null else embedding_model end
        where id = (
          select id from knowledge_documents
          where (lease_until is null or lease_until <= now()) and retry_at <= now() and (state in ('queued', 'indexing')
            or ${ask.embedsAnew} and searchable_version is not null and embedding_model is distinct from ${ask.model})
          order by state in ('ready', 'failed'), stack_id <= ${ask.afterStack ?? ''}, stack_id, retry_at, id
          limit 1 for update skip locked)
        returning id as document_id, stack_id, name, attempts, cut_chunks, holder,
          case when state in ('ready', 'failed') then 'embed' else 'index' end as kind,
          case when state in ('ready', 'failed') then searchable_version else version end as version`,
    );
    const task = await findRow(this.#pool, taskRow, statement);
    return task && { ...task, cutChunks: task.cutChunks ?? undefined };
  }

  async renew(task: IndexingTask): Promise<void> {
    await this.#change(task, this.#leased());
  }

  async readBytes(task: IndexingTask, signal: AbortSignal): Promise<Uint8Array> {
    const row = await findRow(
      this.#pool,
      blobRow,
      sql`select blob from knowledge_documents where ${isHeld(task)}`,
    );
    if (row === undefined) throw new TaskLost();
    const bytes = await this.#blobs.get(parseBlobKey(row.blob), signal);
    if (bytes === undefined) throw new Error('the bytes of the document are not in the blob store');
    return bytes;
  }

  async storeChunks(task: IndexingTask, chunks: readonly Chunk[], signal: AbortSignal): Promise<void> {
    await this.#removeChunks(task, signal);
    for (let start = 0; start < chunks.length; start += CHUNKS_AT_ONCE) {
      signal.throwIfAborted();
      await this.#insertChunks(task, chunks.slice(start, start + CHUNKS_AT_ONCE));
    }
    // The hard part is done; from here on, attempts count another part.
    await this.#change(task, sql`cut_chunks = ${chunks.length}, attempts = 0`);
  }

  async withoutVectors(
    task: IndexingTask,
    model: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly Chunk[]> {
    const query = prepared(
      'knowledge_without_vectors',
      sql`select ordinal as position, text, headings, page from knowledge_chunks
        where document_id = ${task.documentId} and version = ${task.version} and ordinal > ${after}
          and embedding_model is distinct from ${model}
        order by ordinal limit ${limit}`,
    );
    const rows = await queryRows(this.#pool, chunkRow, query);
    return rows.map(({ page, ...chunk }) => ({ ...chunk, page: page ?? undefined }));
  }

  async storeVectors(task: IndexingTask, model: string, vectors: readonly ChunkVectors[]): Promise<void> {
    const positions = vectors.map(({ position }) => position);
    const statement = prepared(
      'store_knowledge_vectors',
      sql`with task as (${lockedTask(task)})
        update knowledge_chunks set vectors = given.vectors, embedding_model = ${model}
        from task, unnest(${positions}::integer[], ${vectors.map((each) => each.vectors)}::bytea[])
          as given (ordinal, vectors)
        where document_id = task.id and knowledge_chunks.version = ${task.version}
          and knowledge_chunks.ordinal = given.ordinal`,
    );
    if ((await execute(this.#pool, statement)) !== vectors.length) throw new TaskLost();
    // Chunks get their vectors in order, so the last one shows the progress.
    const done = Math.max(...positions) + 1;
    if (task.kind === 'index')
      await this.#change(task, sql`progress = ${done}::double precision / cut_chunks`);
  }

  async finish(task: IndexingTask, model: string | undefined): Promise<void> {
    const searchable = sql`state = 'ready', progress = 1, failure = null, searchable_version = version,
      chunks = cut_chunks, updated_at = now(), ${RELEASED}`;
    const change = task.kind === 'embed' ? RELEASED : searchable;
    await this.#change(task, sql`embedding_model = ${model ?? null}, attempts = 0, ${change}`);
  }

  async fail(task: IndexingTask, failure: string): Promise<void> {
    const change = sql`state = 'failed', failure = ${storableText(failure)}, attempts = 0, updated_at = now(), ${RELEASED}`;
    await this.#change(task, change);
  }

  async postpone(task: IndexingTask, later: { delayMs: number; reason: string }): Promise<void> {
    const change = sql`${WAITING}, retry_at = now() + make_interval(secs => ${later.delayMs} / 1000.0),
      failure = case state when 'indexing' then ${storableText(later.reason)} else failure end`;
    await this.#change(task, change);
  }

  async giveBack(task: IndexingTask): Promise<void> {
    await this.#change(task, sql`${WAITING}, attempts = greatest(attempts - 1, 0)`);
  }

  #leased(): Sql {
    return sql`lease_until = now() + make_interval(secs => ${this.#leaseMs} / 1000.0)`;
  }

  async #change(task: IndexingTask, change: Sql): Promise<void> {
    const changed = await execute(
      this.#pool,
      sql`update knowledge_documents set ${change} where ${isHeld(task)}`,
    );
    if (changed === 0) throw new TaskLost();
  }

  async #insertChunks(task: IndexingTask, chunks: readonly Chunk[]): Promise<void> {
    const statement = prepared(
      'insert_knowledge_chunks',
      sql`with task as (${lockedTask(task)})
        insert into knowledge_chunks (document_id, version, ordinal, text, headings, page)
        select task.id, task.version, position, text, array(select jsonb_array_elements_text(headings)), page
        from task, jsonb_to_recordset(${JSON.stringify(chunks.map(storableChunk))}::jsonb)
          as given (position integer, text text, headings jsonb, page integer)`,
    );
    if ((await execute(this.#pool, statement)) !== chunks.length) throw new TaskLost();
  }

  async #removeChunks(task: IndexingTask, signal: AbortSignal): Promise<void> {
    const { documentId, version } = task;
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted();
      const removed = await execute(
        this.#pool,
        sql`with task as (${lockedTask(task)})
          delete from knowledge_chunks using task
          where document_id = task.id and knowledge_chunks.version = ${version} and ordinal in (
            select ordinal from knowledge_chunks where document_id = ${documentId} and version = ${version}
            limit ${CHUNKS_AT_ONCE})`,
      );
      isMore = removed === CHUNKS_AT_ONCE;
    }
  }
}

const RELEASED = sql`holder = null, lease_until = null`;
const WAITING = sql`${RELEASED}, state = case state when 'indexing' then 'queued' else state end`;

function isHeld({ documentId, holder }: IndexingTask): Sql {
  return sql`id = ${documentId} and holder = ${holder}`;
}

/** The task's document, locked: it cannot be removed or changed before the statement ends. */
function lockedTask(task: IndexingTask): Sql {
  return sql`select id, version from knowledge_documents where ${isHeld(task)} for share`;
}

function storableChunk(chunk: Chunk): Chunk {
  return { ...chunk, text: storableText(chunk.text), headings: chunk.headings.map(storableText) };
}
