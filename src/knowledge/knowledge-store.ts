import type { DocumentState, KnowledgeDocument } from './knowledge-document.ts';

/** The documents that one stack may have. */
export const MAX_STACK_DOCUMENTS = 10_000;

/** A document as it is given to a store. */
export interface NewDocument {
  readonly stackId: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the configuration file owns it. */
  readonly declared: boolean;
}

/** Which documents are asked for. */
export interface DocumentQuery {
  readonly stackId: string;
  readonly limit: number;
  /** Where an earlier page ended. */
  readonly cursor?: string;
}

/** Documents in the order of their names. */
export interface DocumentListing {
  readonly documents: readonly KnowledgeDocument[];
  /** Leads to the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The file declares a document that was made by other means, or the other way round. */
export class DocumentOwned extends Error {
  override readonly name = 'DocumentOwned';
}

/** The stack has as many documents as it may. */
export class KnowledgeFull extends Error {
  override readonly name = 'KnowledgeFull';
}

/**
 * The documents of all stacks, with their bytes. Whatever is asked for by stack sees that stack alone.
 * A removed document is gone at once; what was stored of it goes with the next `tidy`.
 */
export interface KnowledgeStore {
  /** Queues a document, or its next version; one with the same bytes stays as it is unless it failed. Throws DocumentOwned and KnowledgeFull. */
  save(document: NewDocument, signal: AbortSignal): Promise<KnowledgeDocument>;
  list(query: DocumentQuery): Promise<DocumentListing>;
  /** Those that the configuration file owns, of every stack. */
  listDeclared(): Promise<readonly KnowledgeDocument[]>;
  find(stackId: string, id: string): Promise<KnowledgeDocument | undefined>;
  findByName(stackId: string, name: string): Promise<KnowledgeDocument | undefined>;
  /** False when the stack has no such document. */
  remove(stackId: string, id: string): Promise<boolean>;
  /** Has the newest version read, cut and embedded anew; what is found stays until that is done. */
  requeue(stackId: string, id: string): Promise<KnowledgeDocument | undefined>;
  countByState(): Promise<Readonly<Record<DocumentState, number>>>;
  /** Removes bytes and passages that nobody needs any more. */
  tidy(signal: AbortSignal): Promise<void>;
}
