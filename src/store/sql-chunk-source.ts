import { z } from 'zod';
import type { ChunkSource, SearchableVersion, StackContents } from '../knowledge/chunk-source.ts';
import type { EmbeddedChunk } from '../knowledge/embedded-chunk.ts';
import { orDatabaseAway } from './database-errors.ts';
import { type Connection, findRow, queryRows } from './query.ts';
import { prepared, sql } from './sql.ts';

const generationRow = z.object({ generation: z.string() });

// The columns of the document are null in the one row of a stack that has none.
const contentRow = generationRow.extend({
  id: z.string().nullable(),
  name: z.string().nullable(),
  searchableVersion: z.number().nullable(),
  embeddingModel: z.string().nullable(),
});

// All columns are null in the one row of a version that has no more chunks.
const chunkRow = z.object({
  position: z.number().nullable(),
  text: z.string().nullable(),
  headings: z.array(z.string()).nullable(),
  page: z.number().nullable(),
  vectors: z.instanceof(Uint8Array).nullable(),
});

/** The searchable contents of stacks, read from the database; a document counts in its searchable version. */
export class SqlChunkSource implements ChunkSource {
  readonly #pool: Connection;

  constructor(pool: Connection) {
    this.#pool = pool;
  }

  async generation(stackId: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const query = prepared(
      'knowledge_generation',
      sql`select generation from knowledge_generations where stack_id = ${stackId}`,
    );
    return (await orDatabaseAway(findRow(this.#pool, generationRow, query)))?.generation;
  }

  async contents(stackId: string, signal: AbortSignal): Promise<StackContents> {
    signal.throwIfAborted();
    const query = sql`select generation, id, name, searchable_version, embedding_model
      from knowledge_generations left join knowledge_documents
        on knowledge_documents.stack_id = knowledge_generations.stack_id and searchable_version is not null
      where knowledge_generations.stack_id = ${stackId} order by name`;
    const rows = await orDatabaseAway(queryRows(this.#pool, contentRow, query));
    return {
      generation: rows[0]?.generation ?? '',
      versions: rows.flatMap((row) => searchableVersion(stackId, row)),
    };
  }

  async chunks(
    { documentId, id, embeddingsModel }: SearchableVersion,
    { from, most }: { from: number; most: number },
    signal: AbortSignal,
  ): Promise<readonly EmbeddedChunk[] | undefined> {
    signal.throwIfAborted();
    const version = versionOf(id);
    const query = prepared(
      'searchable_knowledge_chunks',
      // Vectors of another model than the version's are about to be replaced.
      sql`select position, text, headings, page, vectors from knowledge_documents left join (
          select ordinal as position, text, headings, page,
            case when embedding_model = ${embeddingsModel ?? null} then coalesce(vectors, '') else '' end as vectors
          from knowledge_chunks where document_id = ${documentId} and version = ${version} and ordinal >= ${from}
          order by ordinal limit ${most}) chunk on true
        where id = ${documentId} and searchable_version = ${version} order by position`,
    );
    const rows = await orDatabaseAway(queryRows(this.#pool, chunkRow, query));
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ position, text, headings, page, vectors }) =>
      position === null || text === null || headings === null || vectors === null
        ? []
        : [{ position, text, headings, page: page ?? undefined, vectors }],
    );
  }
}

function searchableVersion(
  stackId: string,
  { id: documentId, name, searchableVersion: version, embeddingModel }: z.infer<typeof contentRow>,
): readonly SearchableVersion[] {
  if (documentId === null || name === null) return [];
  // With new vectors it is another version to its readers.
  const id = `${documentId}.${version}.${embeddingModel ?? ''}`;
  return [{ stackId, id, documentId, documentName: name, embeddingsModel: embeddingModel ?? undefined }];
}

function versionOf(id: string): number {
  return Number(id.split('.')[1]);
}
