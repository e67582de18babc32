import { z } from 'zod';
import { newDocumentId } from '../knowledge/document-id.ts';
import {
  DocumentOwned,
  KnowledgeFull,
  MAX_STACK_DOCUMENTS,
  type NewDocument,
} from '../knowledge/knowledge-store.ts';
import { type Connection, findRow, queryRow, wholeNumber } from './query.ts';
import { type Sql, sql } from './sql.ts';

/** A row of `knowledge_documents`, without the columns of the indexing queue. */
export const documentRow = z.object({
  id: z.string(),
  stackId: z.string(),
  name: z.string(),
  declared: z.boolean(),
  source: z.string().nullable(),
  fileMark: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  blob: z.string(),
  sha256: z.string(),
  sizeBytes: wholeNumber,
  state: z.enum(['queued', 'indexing', 'ready', 'failed']),
  progress: z.number(),
  failure: z.string().nullable(),
  searchableVersion: z.number().nullable(),
  chunks: z.number(),
});

const countRow = z.object({ count: wholeNumber });

/** A document as stored. */
export type DocumentRow = z.infer<typeof documentRow>;

/** The values that a new version changes. */
export type VersionValues = Pick<DocumentRow, 'blob' | 'sha256' | 'sizeBytes'>;

const ANEW = sql`version = version + 1, progress = 0, cut_chunks = null, holder = null, lease_until = null, attempts = 0,
  retry_at = now(), updated_at = now()`;

/** Queues a document for indexing, as a new version. */
export const NEXT_VERSION = sql`${ANEW}, state = 'queued', failure = null`;

/** Makes the blob the newest version of the document of that name, unless its bytes are the same. */
export async function saveVersion(
  connection: Connection,
  document: NewDocument,
  { blob, sha256, sizeBytes }: VersionValues,
): Promise<DocumentRow> {
  const { stackId, name, declared, source = null, fileMark = null, failure = null } = document;
  const known = await findRow(
    connection,
    documentRow,
    sql`select * from knowledge_documents where ${isNamed(stackId, name)}`,
  );
  if (known !== undefined && isSettled(known, sha256, document))
    return keepVersion(connection, known, document);
  if (known === undefined) await requireRoom(connection, stackId);
  const state = failure === null ? 'queued' : 'failed';
  const statement =
    known === undefined
      ? sql`insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, source, file_mark, state, failure)
          values (${newDocumentId()}, ${stackId}, ${name}, ${declared}, ${blob}, ${sha256}, ${sizeBytes},
            ${source}, ${fileMark}, ${state}, ${failure}) returning *`
      : sql`update knowledge_documents set ${ANEW}, state = ${state}, failure = ${failure}, blob = ${blob}, sha256 = ${sha256},
          size_bytes = ${sizeBytes}, source = ${source}, file_mark = ${fileMark} where id = ${known.id} returning *`;
  return queryRow(connection, documentRow, statement);
}

/** Notes where the bytes of a document were found again. */
export async function keepVersion(
  connection: Connection,
  known: DocumentRow,
  document: NewDocument,
): Promise<DocumentRow> {
  const { source = null, fileMark = null } = document;
  if (known.source === source && known.fileMark === fileMark) return known;
  const noted = await findRow(
    connection,
    documentRow,
    sql`update knowledge_documents set source = ${source}, file_mark = ${fileMark} where id = ${known.id} returning *`,
  );
  return noted ?? known;
}

async function requireRoom(connection: Connection, stackId: string): Promise<void> {
  const { count } = await queryRow(
    connection,
    countRow,
    sql`select count(*) from knowledge_documents where stack_id = ${stackId}`,
  );
  if (count >= MAX_STACK_DOCUMENTS) throw new KnowledgeFull();
}

/** Whether there is nothing to do; throws if the document has another owner. */
export function isSettled(known: DocumentRow, sha256: string, document: NewDocument): boolean {
  const { declared, source = null, failure = null } = document;
  if (known.declared !== declared) throw new DocumentOwned();
  // Rows of older versions have no source.
  if (known.source !== null && known.source !== source) throw new DocumentOwned();
  if (known.state === 'failed') return failure !== null && known.failure === failure;
  return failure === null && known.sha256 === sha256;
}

export function isNamed(stackId: string, name: string): Sql {
  return sql`stack_id = ${stackId} and name = ${name}`;
}
