import type pg from 'pg';
import { z } from 'zod';
import type { EmbeddedChunk } from '../knowledge/embedded-chunk.ts';
import type { PassageBatch, PassageRow } from '../knowledge/search/passage-rows.ts';
import type { Language } from '../knowledge/search/stop-words.ts';
import { guessLanguage } from '../knowledge/search/terms.ts';
import type { SearchWriter, StoredVersion } from '../knowledge/search-writer.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { execute, findRow, queryRow, queryRows } from './query.ts';
import { type Sql, sql } from './sql.ts';

/** Makes the rows of chunks. */
type MakeRows = (batch: PassageBatch, work: StackWork) => Promise<readonly PassageRow[]>;

/** Chunks that one statement writes: few, so that other statements wait only a short time. */
const CHUNKS_AT_ONCE = 64;
/** Between vectors in one text, which is sent as it is; an array of texts would be searched for quotes. */
const SEPARATOR = ';';
/** The model of a space of words. */
export const WORDS = '';

const documentRow = z.object({
  number: z.number(),
  language: z.custom<Language>((value) => typeof value === 'string').nullable(),
  isComplete: z.boolean(),
});
const spaceRow = z.object({ number: z.number(), dimensions: z.number().nullable() });
const lastRow = z.object({ last: z.number() });
const chunkRow = z.object({
  position: z.number(),
  text: z.string(),
  headings: z.array(z.string()),
  vectors: z.instanceof(Uint8Array).nullable(),
});

/** The version is gone: nothing more is written of it. */
class VersionGone extends Error {}

interface Filling {
  readonly version: StoredVersion;
  readonly number: number;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Writes words and vectors of documents into the tables of the search, which PostgreSQL indexes. */
export class SearchFiller implements SearchWriter {
  readonly #pool: pg.Pool;
  readonly #makeRows: MakeRows;

  constructor(pool: pg.Pool, makeRows: MakeRows) {
    this.#pool = pool;
    this.#makeRows = makeRows;
  }

  async write(version: StoredVersion, model: string | undefined, signal: AbortSignal): Promise<void> {
    const begun = await this.#begin(version);
    if (begun === undefined) return;
    const language = begun.language ?? (await this.#guessLanguage(version, begun.number));
    const filling: Filling = { version, number: begun.number, language, signal };
    try {
      if (!begun.isComplete) await this.#writeWords(filling);
      if (model !== undefined) await this.#writeVectors(filling, model);
    } catch (error) {
      if (error instanceof VersionGone) return;
      throw error;
    }
    await this.#complete(filling, model);
  }

  /** Undefined if the document has other versions now. */
  #begin({ documentId, version }: StoredVersion): Promise<z.infer<typeof documentRow> | undefined> {
    return findRow(
      this.#pool,
      documentRow,
      sql`with named as (
          select id, stack_id from knowledge_documents
          where id = ${documentId} and ${version} in (version, searchable_version) for share)
        insert into knowledge_search.documents (document_id, version, stack_id)
        select id, ${version}, stack_id from named
        on conflict (document_id, version) do update set stack_id = excluded.stack_id
        returning number, language, is_complete`,
    );
  }

  /** As the embedded index does it: by the first page of the version. */
  async #guessLanguage(version: StoredVersion, number: number): Promise<Language> {
    const chunks = await this.#chunks(version, { after: -1, model: undefined });
    const language = guessLanguage(chunks.map(({ text }) => text).join('\n'));
    await execute(
      this.#pool,
      sql`update knowledge_search.documents set language = ${language} where number = ${number}`,
    );
    return language;
  }

  async #writeWords(filling: Filling): Promise<void> {
    const { version, number } = filling;
    const space = await this.#space(version.stackId, WORDS);
    const last = await this.#last(
      sql`select coalesce(max(ordinal), -1) as last from knowledge_search.passages
        where space = ${space.number} and document = ${number}`,
    );
    for await (const rows of this.#pages(filling, { after: last, model: undefined })) {
      const written = await execute(
        this.#pool,
        sql`with version as (${stillThere(number)})
          insert into knowledge_search.passages (space, document, ordinal, length, words)
          select ${space.number}, version.number, ordinal, length, words::tsvector
          from version, unnest(${rows.map(({ ordinal }) => ordinal)}::integer[],
            ${rows.map(({ length }) => length)}::integer[], ${rows.map(({ words }) => words)}::text[])
            as given (ordinal, length, words)
          on conflict (space, document, ordinal) do update set length = excluded.length`,
      );
      if (written === 0) throw new VersionGone();
    }
  }

  async #writeVectors(filling: Filling, model: string): Promise<void> {
    const { version, number } = filling;
    const space = await this.#space(version.stackId, model);
    const last = await this.#last(
      sql`select coalesce(max(ordinal), -1) as last from knowledge_search.vectors
        where space = ${space.number} and document = ${number}`,
    );
    let { dimensions } = space;
    for await (const rows of this.#pages(filling, { after: last, model })) {
      dimensions ??= await this.#setDimensions(space.number, rows);
      const vectors = rows
        .filter((row) => row.dimensions === dimensions)
        .flatMap(({ ordinal, vectors: texts }) => texts.map((text, place) => ({ ordinal, place, text })));
      if (vectors.length > 0) await this.#insertVectors(space.number, number, vectors);
    }
  }

  async #insertVectors(
    space: number,
    number: number,
    vectors: readonly { ordinal: number; place: number; text: string }[],
  ): Promise<void> {
    const written = await execute(
      this.#pool,
      sql`with version as (${stillThere(number)})
        insert into knowledge_search.vectors (space, document, ordinal, place, vector)
        select ${space}, version.number, ordinal, place, vector::halfvec
        from version, unnest(${vectors.map(({ ordinal }) => ordinal)}::integer[],
          ${vectors.map(({ place }) => place)}::smallint[],
          string_to_array(${vectors.map(({ text }) => text).join(SEPARATOR)}, ${SEPARATOR}))
          as given (ordinal, place, vector)
        on conflict (space, document, ordinal, place) do update set vector = excluded.vector`,
    );
    if (written === 0) throw new VersionGone();
  }

  /** All that is needed is here: the version is found as soon as it is searchable. */
  async #complete({ number, version: { stackId } }: Filling, model: string | undefined): Promise<void> {
    await execute(
      this.#pool,
      sql`update knowledge_search.documents filled set is_complete = true, filled_model = ${model ?? null},
          model = document.embedding_model,
          is_live = document.searchable_version is not distinct from filled.version,
          (passages, terms) = (select count(*), coalesce(sum(length), 0) from knowledge_search.passages
            where space = (select number from knowledge_search.spaces where stack_id = ${stackId} and model = ${WORDS})
              and document = filled.number)
        from knowledge_documents document where filled.number = ${number} and document.id = filled.document_id
          and not filled.is_gone`,
    );
    if (model === undefined) return;
    await execute(
      this.#pool,
      sql`delete from knowledge_search.vectors where document = ${number} and space in (
        select number from knowledge_search.spaces where stack_id = ${stackId} and model not in (${model}, ${WORDS}))`,
    );
  }

  async *#pages(
    { version, language, signal }: Filling,
    from: { after: number; model: string | undefined },
  ): AsyncGenerator<readonly PassageRow[]> {
    const { stackId, name: documentName } = version;
    for (let { after } = from; ; ) {
      signal.throwIfAborted();
      const chunks = await this.#chunks(version, { ...from, after });
      const last = chunks.at(-1);
      if (last === undefined) return;
      yield await this.#makeRows({ documentName, language, chunks }, { stackId, signal });
      after = last.position;
    }
  }

  /** With a model, only chunks that have vectors of it, and these; else their texts. */
  async #chunks(
    { documentId, version }: StoredVersion,
    { after, model }: { after: number; model: string | undefined },
  ): Promise<readonly EmbeddedChunk[]> {
    const ofModel = model === undefined ? sql`` : sql`and embedding_model = ${model}`;
    const columns =
      model === undefined
        ? sql`text, headings, null::bytea as vectors`
        : sql`'' as text, '{}'::text[] as headings, vectors`;
    const rows = await queryRows(
      this.#pool,
      chunkRow,
      sql`select ordinal as position, ${columns} from knowledge_chunks
        where document_id = ${documentId} and version = ${version} and ordinal > ${after} ${ofModel}
        order by ordinal limit ${CHUNKS_AT_ONCE}`,
    );
    return rows.map(({ vectors, ...chunk }) => ({ ...chunk, vectors: vectors ?? new Uint8Array() }));
  }

  #space(stackId: string, model: string): Promise<z.infer<typeof spaceRow>> {
    return queryRow(
      this.#pool,
      spaceRow,
      sql`insert into knowledge_search.spaces (stack_id, model) values (${stackId}, ${model})
        on conflict (stack_id, model) do update set model = excluded.model returning number, dimensions`,
    );
  }

  /** The first vector decides; another process may have been first. */
  async #setDimensions(space: number, rows: readonly PassageRow[]): Promise<number | null> {
    const dimensions = rows.find((row) => row.dimensions > 0)?.dimensions;
    if (dimensions === undefined) return null;
    const row = await queryRow(
      this.#pool,
      spaceRow,
      sql`update knowledge_search.spaces set dimensions = coalesce(dimensions, ${dimensions})
        where number = ${space} returning number, dimensions`,
    );
    return row.dimensions;
  }

  async #last(query: Sql): Promise<number> {
    return (await queryRow(this.#pool, lastRow, query)).last;
  }
}

/** The version, locked: its rows are not removed before the statement ends. */
function stillThere(number: number): Sql {
  return sql`select number from knowledge_search.documents where number = ${number} and not is_gone for share`;
}
