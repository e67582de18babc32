import type { Conversation } from './conversation.ts';

/** Ranks texts by how likely the model is to write them. Extraction chooses among values found in a document with it. */
export interface CandidateRanker {
  /** The k most likely candidates, most likely first. The result is exact; the same text given twice is ranked twice. */
  rank(order: RankOrder, signal: AbortSignal): Promise<readonly RankedCandidate[]>;
}

/** The candidates to rank, and the context they are ranked in. */
export interface RankOrder {
  readonly conversation: Conversation;
  /** The beginning of the answer; candidates follow it directly. */
  readonly prefix: string;
  /** If one candidate may be a prefix of another, end each with a terminator such as a line break. */
  readonly candidates: readonly string[];
  readonly k: number;
  /** The stack that asks; stacks take turns. Absent: the gateway itself. */
  readonly stackId?: string | undefined;
}

/** A candidate, by its index in the list. */
export interface RankedCandidate {
  readonly index: number;
  /** Natural logarithm of the probability that the model writes exactly this after the prefix. */
  readonly logProbability: number;
}
