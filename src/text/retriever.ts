import type { SpanParent } from '../telemetry/request-trace.ts';
import type { FoundPassage } from './found-passage.ts';

/** Finds passages about a question in the knowledge base of a stack. */
export interface Retriever {
  /** `undefined` if nothing is relevant enough. */
  excerpt(asked: Retrieval, signal: AbortSignal): Promise<Excerpt | undefined>;
}

export interface Retrieval {
  readonly stackId: string;
  readonly question: string;
  /** Absent: the request is not traced. */
  readonly span?: SpanParent | undefined;
  /** Whether a text stays within the excerpt's part of the context window, by the engine's own count. */
  readonly fits: (text: string) => Promise<boolean>;
}

/** Text that is appended to the system text. */
export interface Excerpt {
  readonly text: string;
  /** The quoted passages, in their order. */
  readonly passages: readonly FoundPassage[];
}
