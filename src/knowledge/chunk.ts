/** A passage of a document that is found and quoted as a whole. */
export interface Chunk {
  /** Index within the document, from 0. */
  readonly position: number;
  readonly text: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The page it starts on, from 1, if the document has pages. */
  readonly page?: number | undefined;
}
