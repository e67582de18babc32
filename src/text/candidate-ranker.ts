import type { Conversation } from './conversation.ts';

/** Says which of many texts a model would most likely write: how extraction chooses among values found in a document. */
export interface CandidateRanker {
  /** The k most likely candidates, most likely first. The result is exact; the same text given twice is ranked twice. */
  rank(order: RankOrder, signal: AbortSignal): Promise<readonly RankedCandidate[]>;
}

/** What to rank, and after what. */
export interface RankOrder {
  readonly conversation: Conversation;
  /** How the answer begins; candidates follow it directly. */
  readonly prefix: string;
  /** Where one may begin another, give each the text that ends it, such as a line break. */
  readonly candidates: readonly string[];
  readonly k: number;
  /** Whose order it is: where orders wait, stacks take turns. Absent: the gateway's own. */
  readonly stackId?: string | undefined;
}

/** A candidate by its place in the list. */
export interface RankedCandidate {
  readonly index: number;
  /** Natural logarithm of the probability that the model writes exactly this after the prefix. */
  readonly logProbability: number;
}
