import type { UsageDimension, UsageGroup, UsageRow } from './usage-row.ts';

/** Rows that are written together, under a name that no other batch has. */
export interface UsageBatch {
  /** One process, from its start to its end. */
  readonly process: string;
  /** Counts the batches of a process, from 1 on. */
  readonly sequence: number;
  /** No two of the same dimensions. */
  readonly rows: readonly UsageRow[];
}

/** Which usage to sum up, and by what. */
export interface UsageQuery {
  readonly by: readonly UsageDimension[];
  /** The first and the last day, as dates. */
  readonly since: string;
  readonly until: string;
  readonly stack?: string;
  readonly account?: string;
  /** The most groups that are read. */
  readonly limit: number;
}

/** Where usage is kept, a row per day, account, stack, key, endpoint and model. */
export interface UsageLedger {
  /** Adds a batch, whole or not at all; one that was added before is not added again. */
  add(batch: UsageBatch): Promise<void>;
  /** Sums in the order of what they are summed by. */
  read(query: UsageQuery): Promise<readonly UsageGroup[]>;
}
