/** A passage of the knowledge base. */
export interface FoundPassage {
  readonly documentId: string;
  readonly documentName: string;
  readonly page?: number | undefined;
  /** How likely it holds the answer, from 0 to 1. */
  readonly relevance: number;
  readonly text: string;
}
