export type DocumentState = 'queued' | 'indexing' | 'ready' | 'failed';

/** A document of a stack's knowledge base. */
export interface KnowledgeDocument {
  readonly id: string;
  readonly stackId: string;
  /** Unique within the stack: a second document of this name is a new version. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Hash of the newest version. */
  readonly sha256: string;
  /** State of the newest version; an older one stays searchable until this one is ready. */
  readonly state: DocumentState;
  /** How much of the newest version is indexed, from 0 to 1. */
  readonly progress: number;
  /** Why the newest version could not be indexed. */
  readonly failure: string | undefined;
  /** Searchable passages. */
  readonly chunks: number;
  /** Whether any version is searchable. */
  readonly searchable: boolean;
  /** Whether it is declared in the configuration file. */
  readonly declared: boolean;
  /** The file, folder or bucket of the configuration that it came from. */
  readonly source: string | undefined;
  /** Changes with the content of its file; undefined if the file is to be read again. */
  readonly fileMark: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
