import type { UsageBatch } from './usage-ledger.ts';

/** The tokens that a process had settled of a stack's budget of one day, in all. */
export interface SettledTokens {
  readonly stack: string;
  readonly day: string;
  readonly tokens: number;
}

/** The unwritten usage of a killed process: batches under their own names, and settled tokens. */
export interface LeftUsage {
  readonly process: string;
  readonly batches: readonly UsageBatch[];
  readonly settled: readonly SettledTokens[];
}

/** Takes over the usage of killed processes. */
export interface LeftUsageLedger {
  /** Adds what was not added before, in one transaction; doing it again does nothing. */
  addLeft(left: LeftUsage): Promise<void>;
}
