import type { LimitSubject } from './limit-subject.ts';

/** What a process says of its share of a ceiling, and what it would like to have. */
export interface ShareAsk {
  readonly subject: LimitSubject;
  readonly ceiling: number;
  /** Used up for good, counted since the process began: saying it twice adds nothing. */
  readonly settled: number;
  /** In use at the moment. */
  readonly reserved: number;
  /** How much more the process would like to be able to give out; it gets a part of what is free. */
  readonly want: number;
  /** How much of that is waited for, and given whole where it is free. */
  readonly need: number;
  readonly leaseMs: number;
}

export interface ShareAnswer {
  /** What settled, reserved and given out may come to together, until the lease ends. */
  readonly granted: number;
  /** What all others have settled and hold. */
  readonly othersHold: number;
}

/**
 * Where processes share ceilings. What all of them are granted stays within the ceiling; a grant is at most a part
 * of what is free, so that nobody holds back the last of it; and it is void when its lease ends.
 */
export interface ShareBook {
  /** Answers in the order of the asks. */
  exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]>;
  /** What other processes have settled and in use, as they last said; asks for nothing. */
  usedByOthers(subjects: readonly LimitSubject[]): Promise<readonly number[]>;
}
