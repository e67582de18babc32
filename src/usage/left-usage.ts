import type { UsageBatch } from './usage-ledger.ts';

/** All that a process had settled of one budget: tokens of a day, or millionths of money of a month. */
export interface SettledShare {
  readonly kind: 'tokens' | 'money';
  /** For the budget of an account, its id after `@`. */
  readonly stack: string;
  /** Empty: all keys together. */
  readonly key: string;
  /** The day, or the first of the month. */
  readonly day: string;
  readonly amount: number;
}

/** The unwritten usage of a killed process: batches under their own names, and what it had settled of budgets. */
export interface LeftUsage {
  readonly process: string;
  readonly batches: readonly UsageBatch[];
  readonly settled: readonly SettledShare[];
}

/** Takes over the usage of killed processes. */
export interface LeftUsageLedger {
  /** Adds what was not added before, in one transaction; doing it again does nothing. */
  addLeft(left: LeftUsage): Promise<void>;
}
