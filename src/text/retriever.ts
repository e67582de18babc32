/** Finds what the knowledge base says about a question. */
export interface Retriever {
  /** The excerpt to append to the system text; `undefined` when nothing fits. */
  excerpt(question: string, signal: AbortSignal): Promise<string | undefined>;
}
