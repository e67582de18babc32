/** A file to extract from, with its name for messages. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The route decides which files and limits apply. */
export type ExtractionRoute = 'documents' | 'images';

/** An extraction request; the schema and files are not parsed yet. */
export interface ExtractionRequest {
  readonly route: ExtractionRoute;
  /** In upload order; at least one. */
  readonly files: readonly NamedFile[];
  /** Unparsed JSON. */
  readonly schema: string;
  /** Replaces the stack's system prompt. */
  readonly system: string | undefined;
  /** Added to the extraction's own instruction. */
  readonly user: string | undefined;
  readonly maxTokens: number;
  readonly citations: boolean;
  readonly confidence: boolean;
}
