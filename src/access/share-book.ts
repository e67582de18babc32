import type { LimitSubject } from './limit-subject.ts';

/** A process's report on its share of a ceiling, and its request for more. */
export interface ShareAsk {
  readonly subject: LimitSubject;
  readonly ceiling: number;
  /** Total since the process started, so that reporting twice adds nothing. */
  readonly settled: number;
  /** Currently in use. */
  readonly reserved: number;
  /** How much more the process would like; it gets a part of what is free. */
  readonly want: number;
  /** How much of that requests are waiting for; granted in full if free. */
  readonly need: number;
  readonly leaseMs: number;
}

export interface ShareAnswer {
  /** Upper bound of settled, reserved and available together, until the lease ends. */
  readonly granted: number;
  /** Settled and held by all others. */
  readonly othersHold: number;
}

/**
 * Where processes share ceilings. All grants together stay within the ceiling; a grant is at most a part of what is free, so
 * that no process takes the last of it; and it ends with its lease.
 */
export interface ShareBook {
  /** Answers in the order of the asks. */
  exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]>;
  /** Settled and in use by other processes, as last reported; changes nothing. */
  usedByOthers(subjects: readonly LimitSubject[]): Promise<readonly number[]>;
}
