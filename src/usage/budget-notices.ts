import type { BudgetScope } from '../access/money-budget.ts';

/** A limit of a budget that was reached. */
export interface BudgetNotice {
  readonly id: string;
  readonly scope: BudgetScope;
  /** The names of the account, or of the stack, or of the stack and the key. */
  readonly account?: string;
  readonly stack?: string;
  readonly key?: string;
  /** Such as `2026-11`. */
  readonly month: string;
  readonly level: 'soft' | 'hard';
  readonly limitMicros: number;
  readonly usedMicros: number;
  readonly createdAt: Date;
  /** Which attempt to deliver it this is, from 1. */
  readonly attempt: number;
}

/** The notices of all processes. Each is made once, and taken by one process at a time. */
export interface BudgetNotices {
  /** Makes notices of limits that the usage ledger has reached. */
  find(): Promise<void>;
  /** Takes one that is due for a while; undefined if none is. */
  take(leaseMs: number): Promise<BudgetNotice | undefined>;
  delivered(id: string): Promise<void>;
  postpone(id: string, delayMs: number): Promise<void>;
}
