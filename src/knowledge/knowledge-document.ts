export type DocumentState = 'queued' | 'indexing' | 'ready' | 'failed';

/** A document of a stack's knowledge base. */
export interface KnowledgeDocument {
  readonly id: string;
  readonly stackId: string;
  /** Unique within the stack: another document of this name is its next version. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Of the newest version's bytes. */
  readonly sha256: string;
  /** Of the newest version; an older one stays searchable until this one is ready. */
  readonly state: DocumentState;
  /** How much of the newest version is indexed, from 0 to 1. */
  readonly progress: number;
  /** Why the newest version could not be indexed. */
  readonly failure: string | undefined;
  /** Passages that can be found now. */
  readonly chunks: number;
  /** Whether a version can be found now. */
  readonly searchable: boolean;
  /** Whether the configuration file owns it. */
  readonly declared: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
