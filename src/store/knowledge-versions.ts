import { and, count, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { newDocumentId } from '../knowledge/document-id.ts';
import {
  DocumentOwned,
  KnowledgeFull,
  MAX_STACK_DOCUMENTS,
  type NewDocument,
} from '../knowledge/knowledge-store.ts';
import { knowledgeDocuments as documents } from './schema.ts';

/** A document as stored. */
export type DocumentRow = typeof documents.$inferSelect;

/** What a version is made of. */
export type VersionValues = Pick<DocumentRow, 'blob' | 'sha256' | 'sizeBytes'>;

/** What a document becomes when it is to be indexed anew. */
export const nextVersion = {
  version: sql`${documents.version} + 1`,
  state: 'queued' as const,
  progress: 0,
  failure: null,
  cutChunks: null,
  holder: null,
  leaseUntil: null,
  attempts: 0,
  retryAt: sql`now()`,
  updatedAt: sql`now()`,
};

/** Makes the bytes those of the document of that name, unless they are already. */
export async function saveVersion(
  database: NodePgDatabase,
  { stackId, name, declared }: NewDocument,
  version: VersionValues,
): Promise<DocumentRow> {
  const [known] = await database.select().from(documents).where(isNamed(stackId, name));
  if (known !== undefined && isSettled(known, version.sha256, declared)) return known;
  if (known === undefined) await requireRoom(database, stackId);
  const [saved] =
    known === undefined
      ? await database
          .insert(documents)
          .values({ id: newDocumentId(), stackId, name, declared, ...version })
          .returning()
      : await database
          .update(documents)
          .set({ ...nextVersion, ...version })
          .where(eq(documents.id, known.id))
          .returning();
  if (saved === undefined) throw new Error('saving a document returned no row');
  return saved;
}

async function requireRoom(database: NodePgDatabase, stackId: string): Promise<void> {
  const [row] = await database
    .select({ count: count() })
    .from(documents)
    .where(eq(documents.stackId, stackId));
  if ((row?.count ?? 0) >= MAX_STACK_DOCUMENTS) throw new KnowledgeFull();
}

/** Whether there is nothing to do; throws where the document belongs to somebody else. */
export function isSettled(known: DocumentRow, sha256: string, declared: boolean): boolean {
  if (known.declared !== declared) throw new DocumentOwned();
  return known.sha256 === sha256 && known.state !== 'failed';
}

export function isNamed(stackId: string, name: string) {
  return and(eq(documents.stackId, stackId), eq(documents.name, name));
}
