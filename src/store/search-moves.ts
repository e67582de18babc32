import type pg from 'pg';
import { z } from 'zod';
import type { SearchWriter } from '../knowledge/search-writer.ts';
import { execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { type Sql, sql } from './sql.ts';

/** How much of all stacks is in the tables of the search, in passages. */
export interface MoveProgress {
  readonly movedPassages: number;
  readonly allPassages: number;
}

const versionRow = z.object({
  documentId: z.string(),
  stackId: z.string(),
  name: z.string(),
  version: z.number(),
  embeddingModel: z.string().nullable(),
  chunks: z.number(),
});
const progressRow = z.object({ movedPassages: wholeNumber, allPassages: wholeNumber });
const goneRow = z.object({ number: z.number(), stackId: z.string() });

/** Documents that are looked for at a time. */
const PAGE = 50;
/** Rows that one statement removes: few, so that other statements wait only a short time. */
const ROWS_AT_ONCE = 500;

/** Brings documents into the tables of the search that were indexed without them, and takes out what is gone. */
export class SearchMoves {
  readonly #pool: pg.Pool;
  readonly #writer: SearchWriter;
  readonly #model: string;

  /** `model` is the embeddings model of the gateway. */
  constructor(pool: pg.Pool, writer: SearchWriter, model: string) {
    this.#pool = pool;
    this.#writer = writer;
    this.#model = model;
  }

  /** Moves documents until none is left; what is done stays done when it is interrupted. Returns how many were moved. */
  async moveAll(signal: AbortSignal, report?: (progress: MoveProgress) => void): Promise<number> {
    let moved = 0;
    for (let after = { stackId: '', name: '' }; ; ) {
      const page = await queryRows(
        this.#pool,
        versionRow,
        sql`select document.id as document_id, document.stack_id, name, searchable_version as version, embedding_model, chunks
          ${this.#searchable()} where ${this.#isMissing()}
            and (document.stack_id, name) > (${after.stackId}, ${after.name})
          order by document.stack_id, name limit ${PAGE}`,
      );
      // It reads all documents: once for each of them would take hours.
      let progress = page.length > 0 && report ? await this.progress() : undefined;
      for (const { embeddingModel, chunks, ...version } of page) {
        signal.throwIfAborted();
        await this.#writer.write(version, embeddingModel === this.#model ? this.#model : undefined, signal);
        moved += 1;
        progress &&= { ...progress, movedPassages: progress.movedPassages + chunks };
        if (progress) report?.(progress);
      }
      const last = page.at(-1);
      if (last === undefined) return moved;
      after = last;
    }
  }

  progress(): Promise<MoveProgress> {
    return queryRow(
      this.#pool,
      progressRow,
      sql`select coalesce(sum(chunks) filter (where not (${this.#isMissing()})), 0)::bigint as moved_passages,
        coalesce(sum(chunks), 0)::bigint as all_passages ${this.#searchable()}`,
    );
  }

  #searchable(): Sql {
    return sql`from (select * from knowledge_documents where searchable_version is not null) document
      left join knowledge_search.documents filled on filled.document_id = id and filled.version = searchable_version`;
  }

  /** Whether the words of a document are missing, or its vectors. */
  #isMissing(): Sql {
    return sql`(filled.number is null or not is_complete
      or embedding_model = ${this.#model} and filled_model is distinct from embedding_model)`;
  }
}

/** Removes what the search has of removed documents and replaced versions. Returns of how many. */
export async function removeGone(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (;;) {
    const gone = await queryRows(
      pool,
      goneRow,
      sql`select number, stack_id from knowledge_search.documents where is_gone order by number limit ${PAGE}`,
    );
    for (const { number, stackId } of gone) {
      for (const table of [sql`knowledge_search.passages`, sql`knowledge_search.vectors`])
        await removeRows(pool, { table, number, stackId, signal });
      await execute(pool, sql`delete from knowledge_search.documents where number = ${number}`);
    }
    removed += gone.length;
    if (gone.length < PAGE) return removed;
  }
}

async function removeRows(
  pool: pg.Pool,
  { table, number, stackId, signal }: { table: Sql; number: number; stackId: string; signal: AbortSignal },
): Promise<void> {
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    const rows = await execute(
      pool,
      sql`delete from ${table} where ctid = any (array(
        select ctid from ${table} where document = ${number}
          and space in (select number from knowledge_search.spaces where stack_id = ${stackId})
        limit ${ROWS_AT_ONCE}))`,
    );
    isMore = rows === ROWS_AT_ONCE;
  }
}
