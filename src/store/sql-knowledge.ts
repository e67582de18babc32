import type pg from 'pg';
import { z } from 'zod';
import type { Operator } from '../access/operator.ts';
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
import { sha256Of } from '../lib/sha256.ts';
import { recordAudit } from './audit-trail.ts';
import { orDatabaseAway } from './database-errors.ts';
import { newKnowledgeBlob } from './knowledge-blobs.ts';
import { KnowledgeLeftovers } from './knowledge-leftovers.ts';
import {
  type DocumentRow,
  documentRow,
  isNamed,
  isSettled,
  keepVersion,
  NEXT_VERSION,
  saveVersion,
  type VersionValues,
} from './knowledge-versions.ts';
import { execute, findRow, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const countRow = z.object({ state: documentRow.shape.state, count: wholeNumber });

/** Names the locks under which the documents of a stack are saved. */
const SAVE_LOCK = 7_205_762;

/**
 * Documents as rows and blobs. A document is saved blob first: it exists with its row. It is removed row first:
 * a trigger records the blob and the chunks that are still to be removed.
 */
export class SqlKnowledge implements KnowledgeStore {
  readonly #pool: pg.Pool;
  readonly #blobs: BlobStore;
  readonly #leftovers: KnowledgeLeftovers;
  readonly #operator: Operator | undefined;

  /** The changes of an operator are recorded in the audit. */
  constructor(pool: pg.Pool, blobs: BlobStore, operator?: Operator) {
    this.#operator = operator;
    this.#pool = pool;
    this.#blobs = blobs;
    this.#leftovers = new KnowledgeLeftovers(pool, blobs);
  }

  async save(document: NewDocument, signal: AbortSignal): Promise<KnowledgeDocument> {
    const { stackId, name, bytes } = document;
    const sha256 = await sha256Of(bytes);
    const known = await this.#find(isNamed(stackId, name));
    if (known !== undefined && isSettled(known, sha256, document))
      return toDocument(await orDatabaseAway(keepVersion(this.#pool, known, document)));
    const blob = newKnowledgeBlob();
    await orDatabaseAway(this.#leftovers.expect(blob));
    try {
      await this.#put(blob, bytes, signal);
      const version = { blob, sha256, sizeBytes: bytes.byteLength };
      return toDocument(await orDatabaseAway(this.#saveRow(document, version)));
    } catch (error) {
      // If the database cannot be reached, the blob is removed when its time is over.
      await this.#leftovers.drop(blob).catch(() => {});
      throw error;
    }
  }

  async list({ stackId, limit, cursor }: DocumentQuery): Promise<DocumentListing> {
    const after = cursor === undefined ? sql`` : sql`and name > ${parseCursor(cursor)}`;
    const condition = sql`stack_id = ${stackId} ${after}`;
    const rows = await orDatabaseAway(this.#rows(condition, limit + 1));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      documents: page.map(toDocument),
      nextCursor: rows.length > page.length && last ? cursorOf(last.name) : undefined,
    };
  }

  async listDeclared(): Promise<readonly KnowledgeDocument[]> {
    return (await this.#rows(sql`declared`)).map(toDocument);
  }

  async listFrom(stackId: string, source: string): Promise<readonly KnowledgeDocument[]> {
    const condition = sql`stack_id = ${stackId} and source = ${source}`;
    return (await orDatabaseAway(this.#rows(condition))).map(toDocument);
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
    const removal = sql`delete from knowledge_documents where ${isDocument(stackId, id)} returning *`;
    return (await orDatabaseAway(this.#change('document.remove', removal))) !== undefined;
  }

  async requeue(stackId: string, id: string): Promise<KnowledgeDocument | undefined> {
    if (!isDocumentId(id)) return undefined;
    const change = sql`update knowledge_documents set ${NEXT_VERSION} where ${isDocument(stackId, id)} returning *`;
    const row = await orDatabaseAway(this.#change('document.reindex', change));
    return row && toDocument(row);
  }

  async countByState(): Promise<Readonly<Record<DocumentState, number>>> {
    const query = sql`select state, count(*) from knowledge_documents group by state`;
    const counts = { queued: 0, indexing: 0, ready: 0, failed: 0 };
    for (const { state, count } of await queryRows(this.#pool, countRow, query)) counts[state] = count;
    return counts;
  }

  async tidy(signal: AbortSignal): Promise<void> {
    await this.#leftovers.remove(signal);
  }

  /** Changes one row. Callers' changes need no transaction: they are not in the audit. */
  #change(action: string, change: Sql): Promise<DocumentRow | undefined> {
    if (this.#operator === undefined) return findRow(this.#pool, documentRow, change);
    return inTransaction(this.#pool, async (client) => {
      const row = await findRow(client, documentRow, change);
      if (row !== undefined) await this.#record(client, action, row);
      return row;
    });
  }

  async #record(client: pg.PoolClient, action: string, row: DocumentRow): Promise<void> {
    if (this.#operator === undefined) return;
    const { stackId, name, sha256, sizeBytes } = row;
    const view = { sha256, size_bytes: sizeBytes };
    const views = action === 'document.remove' ? { before: view } : { after: view };
    await recordAudit(client, this.#operator, { action, target: `${stackId}/${name}`, stackId, ...views });
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

  async #find(condition: Sql): Promise<DocumentRow | undefined> {
    const [row] = await orDatabaseAway(this.#rows(condition, 1));
    return row;
  }

  /** In the order of their names; without a limit, all of them. */
  #rows(condition: Sql, limit: number | null = null): Promise<DocumentRow[]> {
    return queryRows(
      this.#pool,
      documentRow,
      sql`select * from knowledge_documents where ${condition} order by name limit ${limit}`,
    );
  }

  /** Saves the row. A stack has one save at a time, so that names stay unique and the count of documents is exact. */
  #saveRow(document: NewDocument, version: VersionValues): Promise<DocumentRow> {
    return inTransaction(this.#pool, async (client) => {
      await execute(client, sql`select pg_advisory_xact_lock(${SAVE_LOCK}, hashtext(${document.stackId}))`);
      const row = await saveVersion(client, document, version);
      const leftover = sql`blob = ${version.blob}`;
      // When another save of the same bytes came first, this blob is left over.
      await execute(
        client,
        row.blob === version.blob
          ? sql`delete from knowledge_leftovers where ${leftover}`
          : sql`update knowledge_leftovers set remove_at = now() where ${leftover}`,
      );
      await this.#record(client, 'document.add', row);
      return row;
    });
  }
}

function isDocument(stackId: string, id: string): Sql {
  return sql`stack_id = ${stackId} and id = ${id}`;
}

export interface DocumentsAnywhere {
  readonly stackId?: string | undefined;
  /** The last document of the page before. */
  readonly after?: { readonly stackId: string; readonly name: string } | undefined;
  readonly limit: number;
}

/** Documents of all stacks or one, by stack and name. */
export async function listDocumentsAnywhere(
  pool: pg.Pool,
  { stackId, after, limit }: DocumentsAnywhere,
): Promise<readonly KnowledgeDocument[]> {
  const conditions = [
    sql`true`,
    ...(stackId === undefined ? [] : [sql`stack_id = ${stackId}`]),
    ...(after === undefined ? [] : [sql`(stack_id, name) > (${after.stackId}, ${after.name})`]),
  ];
  const rows = await queryRows(
    pool,
    documentRow,
    sql`select * from knowledge_documents where ${joined(conditions, ' and ')} order by stack_id, name limit ${limit}`,
  );
  return rows.map(toDocument);
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
    source: row.source ?? undefined,
    fileMark: row.fileMark ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
