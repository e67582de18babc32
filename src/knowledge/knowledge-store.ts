import type { DocumentState, KnowledgeDocument } from './knowledge-document.ts';

/** Documents per stack. */
export const MAX_STACK_DOCUMENTS = 10_000;

/** A document to be stored. */
export interface NewDocument {
  readonly stackId: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether it is declared in the configuration file. */
  readonly declared: boolean;
  readonly source?: string | undefined;
  readonly fileMark?: string | undefined;
  /** Why its bytes were not taken: it is stored as failed, without them. */
  readonly failure?: string | undefined;
}

export interface DocumentQuery {
  readonly stackId: string;
  readonly limit: number;
  /** The cursor of the previous page. */
  readonly cursor?: string;
}

/** One page of a stack's documents, by name. */
export interface DocumentListing {
  readonly documents: readonly KnowledgeDocument[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** The name belongs to a document of another owner: a client, an operator, or another source of the configuration. */
export class DocumentOwned extends Error {
  override readonly name = 'DocumentOwned';
}

/** The stack has reached its number of documents. */
export class KnowledgeFull extends Error {
  override readonly name = 'KnowledgeFull';
}

/**
 * The documents of all stacks, with their bytes. Calls for a stack see that stack only. A removed document disappears at once;
 * its data goes with the next `tidy`.
 */
export interface KnowledgeStore {
  /**
   * Queues a document or its next version. Identical bytes change nothing unless the document failed. Throws DocumentOwned and
   * KnowledgeFull.
   */
  save(document: NewDocument, signal: AbortSignal): Promise<KnowledgeDocument>;
  list(query: DocumentQuery): Promise<DocumentListing>;
  /** Declared documents of every stack. */
  listDeclared(): Promise<readonly KnowledgeDocument[]>;
  /** The documents of a stack that came from this source of the configuration. */
  listFrom(stackId: string, source: string): Promise<readonly KnowledgeDocument[]>;
  find(stackId: string, id: string): Promise<KnowledgeDocument | undefined>;
  findByName(stackId: string, name: string): Promise<KnowledgeDocument | undefined>;
  /** False when the stack has no such document. */
  remove(stackId: string, id: string): Promise<boolean>;
  /** Indexes the newest version again; search results stay until that is done. */
  requeue(stackId: string, id: string): Promise<KnowledgeDocument | undefined>;
  countByState(): Promise<Readonly<Record<DocumentState, number>>>;
  /** Removes unreferenced bytes and passages. */
  tidy(signal: AbortSignal): Promise<void>;
}
