import type pg from 'pg';
import type { ChunkSource, SearchableVersion, StackContents } from '../knowledge/chunk-source.ts';
import type { EmbeddedChunk } from '../knowledge/embedded-chunk.ts';

interface ContentRow {
  readonly generation: string;
  readonly documentId: string | null;
  readonly documentName: string;
  readonly version: number;
  readonly embeddingsModel: string | null;
}

interface ChunkRow {
  readonly position: number | null;
  readonly text: string;
  readonly headings: readonly string[];
  readonly page: number | null;
  readonly vectors: Uint8Array;
}

/** What can be found in a stack, read from the database; a document counts in its searchable version. */
export class SqlChunkSource implements ChunkSource {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async generation(stackId: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const { rows } = await this.#pool.query<{ generation: string }>({
      name: 'knowledge_generation',
      text: 'select generation from knowledge_generations where stack_id = $1',
      values: [stackId],
    });
    return rows[0]?.generation;
  }

  async contents(stackId: string, signal: AbortSignal): Promise<StackContents> {
    signal.throwIfAborted();
    const { rows } = await this.#pool.query<ContentRow>(
      `select generation, id as "documentId", name as "documentName", searchable_version as version,
         embedding_model as "embeddingsModel"
       from knowledge_generations left join knowledge_documents
         on knowledge_documents.stack_id = knowledge_generations.stack_id and searchable_version is not null
       where knowledge_generations.stack_id = $1 order by name`,
      [stackId],
    );
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
    const { rows } = await this.#pool.query<ChunkRow>({
      name: 'searchable_knowledge_chunks',
      // Vectors of another model than the version's are being replaced at this moment.
      text: `select chunk.* from knowledge_documents left join (
          select ordinal as position, text, headings, page,
            case when embedding_model = $3 then coalesce(vectors, '') else '' end as vectors
          from knowledge_chunks where document_id = $1 and version = $2 and ordinal >= $4
          order by ordinal limit $5) chunk on true
        where id = $1 and searchable_version = $2 order by chunk.position`,
      values: [documentId, versionOf(id), embeddingsModel ?? null, from, most],
    });
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ position, page, ...row }) =>
      position === null ? [] : [{ ...row, position, page: page ?? undefined }],
    );
  }
}

function searchableVersion(stackId: string, row: ContentRow): readonly SearchableVersion[] {
  const { documentId, documentName, version, embeddingsModel } = row;
  if (documentId === null) return [];
  // New vectors make it another version to whoever reads it.
  const id = `${documentId}.${version}.${embeddingsModel ?? ''}`;
  return [{ stackId, id, documentId, documentName, embeddingsModel: embeddingsModel ?? undefined }];
}

function versionOf(id: string): number {
  return Number(id.split('.')[1]);
}
