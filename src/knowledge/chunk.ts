/** A passage of a document that is found and quoted as a whole. */
export interface Chunk {
  /** Its place in the document, counted from 0. */
  readonly position: number;
  readonly text: string;
  /** The headings it stands under, outermost first. */
  readonly headings: readonly string[];
  /** The page it begins on, counted from 1, where the document has pages. */
  readonly page?: number | undefined;
}
