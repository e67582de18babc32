import type pg from 'pg';
import { z } from 'zod';
import type { FoundChunk } from '../knowledge/knowledge-search.ts';
import type { FinderQuestion, PassageFinder } from '../knowledge/passage-finder.ts';
import { fusedScore, relevanceOf } from '../knowledge/search/fuse-scores.ts';
import { hasErrorCode } from '../lib/error-code.ts';
import { findPassages, keyOf, type ScoredPassage } from './find-passages.ts';
import { execute, queryRows } from './query.ts';
import { isSearchable, readStack } from './search-stack.ts';
import { sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const chunkRow = z.object({
  document: z.number(),
  ordinal: z.number(),
  documentId: z.string(),
  documentName: z.string(),
  text: z.string(),
  headings: z.array(z.string()),
  page: z.number().nullable(),
});

/** The schema or a table is not there. */
const NOT_THERE = ['3F000', '42P01'];
// One snapshot for all statements of a question. A plan that reads a table from its start would read rows of other stacks, so it
// is never taken. An index of vectors is followed until enough of them may be found.
const BEGIN_READING = sql`set transaction isolation level repeatable read, read only; set local enable_seqscan = off;
  set local hnsw.ef_search = 200; set local hnsw.iterative_scan = strict_order`;

/** Finds passages by the full-text search of PostgreSQL and by pgvector. Each statement names the space of its stack. */
export class SqlPassageFinder implements PassageFinder {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(asked: FinderQuestion, signal: AbortSignal): Promise<readonly FoundChunk[] | undefined> {
    const { stackId, model } = asked;
    signal.throwIfAborted();
    try {
      const known = await readStack(this.#pool, stackId, model);
      if (known.searchable === 0) return [];
      if (!isSearchable(known)) return undefined;
      const vector = await asked.vectorOf();
      signal.throwIfAborted();
      return await inTransaction(this.#pool, async (client) => {
        await execute(client, BEGIN_READING);
        return read(client, { ...asked, vector });
      });
    } catch (error) {
      if (NOT_THERE.some((code) => hasErrorCode(error, code))) return undefined;
      throw error;
    }
  }
}

async function read(
  client: pg.PoolClient,
  { stackId, question, most, model, vector }: FinderQuestion & { vector: Float32Array | undefined },
): Promise<readonly FoundChunk[]> {
  const stack = await readStack(client, stackId, model);
  const { passages, bounds } = await findPassages(client, { stack, question, vector });
  const best = passages
    .map((passage) => ({ ...passage, score: fusedScore(passage, bounds) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || inOrder(left, right))
    .slice(0, most);
  const chunks = new Map((await readChunks(client, stackId, best)).map((row) => [keyOf(row), row]));
  return best.flatMap(({ words, meaning, score, ...key }) => {
    const chunk = chunks.get(keyOf(key));
    if (chunk === undefined) return [];
    const { documentId, documentName, text, headings, ordinal: position, page } = chunk;
    const relevance = relevanceOf({ words, meaning }, bounds);
    const found = { documentId, documentName, position, text, headings, page: page ?? undefined };
    return [{ ...found, score, words, meaning, relevance }];
  });
}

function inOrder(left: ScoredPassage, right: ScoredPassage): number {
  return left.document - right.document || left.ordinal - right.ordinal;
}

/** Only chunks of the stack, whatever the keys are. */
function readChunks(
  client: pg.PoolClient,
  stackId: string,
  keys: readonly ScoredPassage[],
): Promise<readonly z.infer<typeof chunkRow>[]> {
  const documents = keys.map(({ document }) => document);
  const ordinals = keys.map(({ ordinal }) => ordinal);
  return queryRows(
    client,
    chunkRow,
    sql`select given.document, given.ordinal, known.id as document_id, known.name as document_name, text, headings, page
      from unnest(${documents}::integer[], ${ordinals}::integer[]) as given (document, ordinal)
      join knowledge_search.documents filled on filled.number = given.document and filled.is_live
      join knowledge_documents known on known.id = filled.document_id and known.stack_id = ${stackId}
      join knowledge_chunks chunk on chunk.document_id = known.id and chunk.version = filled.version
        and chunk.ordinal = given.ordinal`,
  );
}
