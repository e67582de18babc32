/** A file to extract from, under the name that messages use for it. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What kind of file a route takes, and with it which limits hold. */
export type ExtractionRoute = 'documents' | 'images';

/** An extraction as it was asked for; nothing in it is read yet. */
export interface ExtractionRequest {
  readonly route: ExtractionRoute;
  /** In the order in which they were sent; at least one. */
  readonly files: readonly NamedFile[];
  /** JSON text, not looked at yet. */
  readonly schema: string;
  /** Replaces the stack's system prompt. */
  readonly system: string | undefined;
  /** Said in addition to the extraction's own instruction. */
  readonly user: string | undefined;
  readonly maxTokens: number;
  readonly citations: boolean;
}
