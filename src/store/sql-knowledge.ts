import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { BlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Fault } from '../faults/fault.ts';
import { cursorOf, parseCursor } from '../knowledge/document-cursor.ts';
import { isDocumentId } from '../knowledge/document-id.ts';
import type { DocumentState, KnowledgeDocument } from '../knowledge/knowledge-document.ts';
import type {
  DocumentListing,
  DocumentQuery,
  KnowledgeStore,
  NewDocument,
} from '../knowledge/knowledge-store.ts';
import { orDatabaseAway } from './database-errors.ts';
import { newKnowledgeBlob } from './knowledge-blobs.ts';
import { KnowledgeLeftovers } from './knowledge-leftovers.ts';
import {
  type DocumentRow,
  isNamed,
  isSettled,
  nextVersion,
  saveVersion,
  type VersionValues,
} from './knowledge-versions.ts';
import { knowledgeDocuments as documents, knowledgeLeftovers } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Names the locks under which the documents of a stack are saved. */
const SAVE_LOCK = 7_205_762;
const DIGEST = 'SHA-256';

/**
 * Documents as rows and blobs. Bytes come first and the row makes the document be; a document goes the other
 * way round: its row goes, and a trigger keeps on record what has to follow it.
 */
export class SqlKnowledge implements KnowledgeStore {
  readonly #pool: pg.Pool;
  readonly #database: NodePgDatabase;
  readonly #blobs: BlobStore;
  readonly #leftovers: KnowledgeLeftovers;

  constructor(pool: pg.Pool, blobs: BlobStore) {
    this.#pool = pool;
    this.#database = drizzle(pool);
    this.#blobs = blobs;
    this.#leftovers = new KnowledgeLeftovers(pool, blobs);
  }

  async save(document: NewDocument, signal: AbortSignal): Promise<KnowledgeDocument> {
    const { stackId, name, bytes, declared } = document;
    // Computed outside of this thread: the largest document would hold it up for a tenth of a second.
    const digest = await crypto.subtle.digest(DIGEST, new Uint8Array(bytes));
    const sha256 = Buffer.from(digest).toString('hex');
    const known = await this.#find(isNamed(stackId, name));
    if (known !== undefined && isSettled(known, sha256, declared)) return toDocument(known);
    const blob = newKnowledgeBlob();
    await orDatabaseAway(this.#leftovers.expect(blob));
    try {
      await this.#put(blob, bytes, signal);
      const version = { blob, sha256, sizeBytes: bytes.byteLength };
      return toDocument(await orDatabaseAway(this.#saveRow(document, version)));
    } catch (error) {
      // Where the database cannot be told, the bytes go when their time is over.
      await this.#leftovers.drop(blob).catch(() => {});
      throw error;
    }
  }

  async list({ stackId, limit, cursor }: DocumentQuery): Promise<DocumentListing> {
    const after = cursor === undefined ? undefined : gt(documents.name, parseCursor(cursor));
    const wanted = this.#rows(and(eq(documents.stackId, stackId), after)).limit(limit + 1);
    const rows = await orDatabaseAway(wanted.execute());
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      documents: page.map(toDocument),
      nextCursor: rows.length > page.length && last ? cursorOf(last.name) : undefined,
    };
  }

  async listDeclared(): Promise<readonly KnowledgeDocument[]> {
    return (await this.#rows(eq(documents.declared, true))).map(toDocument);
  }

  async find(stackId: string, id: string): Promise<KnowledgeDocument | undefined> {
    const row = isDocumentId(id) ? await this.#find(isDocument(stackId, id)) : undefined;
    return row && toDocument(row);
  }

  async findByName(stackId: string, name: string): Promise<KnowledgeDocument | undefined> {
    const row = await this.#find(isNamed(stackId, name));
    return row && toDocument(row);
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    if (!isDocumentId(id)) return false;
    const removal = this.#database
      .delete(documents)
      .where(isDocument(stackId, id))
      .returning({ id: documents.id });
    return (await orDatabaseAway(removal.execute())).length > 0;
  }

  async requeue(stackId: string, id: string): Promise<KnowledgeDocument | undefined> {
    if (!isDocumentId(id)) return undefined;
    const change = this.#database
      .update(documents)
      .set(nextVersion)
      .where(isDocument(stackId, id))
      .returning();
    const [row] = await orDatabaseAway(change.execute());
    return row && toDocument(row);
  }

  async countByState(): Promise<Readonly<Record<DocumentState, number>>> {
    const rows = await this.#database
      .select({ state: documents.state, count: count() })
      .from(documents)
      .groupBy(documents.state);
    const counts = { queued: 0, indexing: 0, ready: 0, failed: 0 };
    for (const { state, count } of rows) counts[state] = count;
    return counts;
  }

  async tidy(signal: AbortSignal): Promise<void> {
    await this.#leftovers.remove(signal);
  }

  async #put(blob: BlobKey, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await this.#blobs.put(blob, bytes, signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw new Fault('document-not-stored', 'The document could not be stored.', { cause });
    }
    signal.throwIfAborted();
  }

  async #find(condition: ReturnType<typeof and>): Promise<DocumentRow | undefined> {
    const [row] = await orDatabaseAway(this.#rows(condition).execute());
    return row;
  }

  #rows(condition: ReturnType<typeof and>) {
    return this.#database.select().from(documents).where(condition).orderBy(asc(documents.name)).$dynamic();
  }

  /** Makes the bytes those of the document; one save of a stack at a time, so that names and their number are certain. */
  #saveRow(document: NewDocument, version: VersionValues): Promise<DocumentRow> {
    return inTransaction(this.#pool, async (client) => {
      const { stackId } = document;
      await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [SAVE_LOCK, stackId]);
      const database = drizzle(client);
      const row = await saveVersion(database, document, version);
      // Another save of the same bytes was quicker: these stay on record as left over.
      if (row.blob === version.blob)
        await database.delete(knowledgeLeftovers).where(eq(knowledgeLeftovers.blob, version.blob));
      else
        await database
          .update(knowledgeLeftovers)
          .set({ removeAt: sql`now()` })
          .where(eq(knowledgeLeftovers.blob, version.blob));
      return row;
    });
  }
}

function isDocument(stackId: string, id: string) {
  return and(eq(documents.stackId, stackId), eq(documents.id, id));
}

function toDocument(row: DocumentRow): KnowledgeDocument {
  return {
    id: row.id,
    stackId: row.stackId,
    name: row.name,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    state: row.state,
    progress: row.progress,
    failure: row.failure ?? undefined,
    chunks: row.chunks,
    searchable: row.searchableVersion !== null,
    declared: row.declared,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
