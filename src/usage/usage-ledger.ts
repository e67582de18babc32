import type { UsageDimension, UsageGroup, UsageRow } from './usage-row.ts';

/** Rows written together under a unique name. */
export interface UsageBatch {
  /** One process, from its start to its end. */
  readonly process: string;
  /** Batch number within a process, from 1. */
  readonly sequence: number;
  /** With distinct dimensions. */
  readonly rows: readonly UsageRow[];
}

export interface UsageQuery {
  readonly by: readonly UsageDimension[];
  /** The first and last day, as dates. */
  readonly since: string;
  readonly until: string;
  readonly stack?: string;
  readonly account?: string;
  /** The most groups to read. */
  readonly limit: number;
}

/** Stores usage, a row per day, account, stack, key, endpoint and model. */
export interface UsageLedger {
  /** Adds a batch atomically; adding it again does nothing. */
  add(batch: UsageBatch): Promise<void>;
  /** Sums, ordered by the grouping dimensions. */
  read(query: UsageQuery): Promise<readonly UsageGroup[]>;
}
