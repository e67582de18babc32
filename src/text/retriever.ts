/** Finds what the knowledge base of a stack says about a question. */
export interface Retriever {
  /** `undefined` when nothing there is relevant enough. */
  excerpt(asked: Retrieval, signal: AbortSignal): Promise<Excerpt | undefined>;
}

export interface Retrieval {
  readonly stackId: string;
  readonly question: string;
  /** Whether a text stays within the excerpt's share of the context window, by the engine's own count. */
  readonly fits: (text: string) => Promise<boolean>;
}

/** What is appended to the system text. */
export interface Excerpt {
  readonly text: string;
  /** The documents that it quotes, by their ids. */
  readonly sources: readonly string[];
}
