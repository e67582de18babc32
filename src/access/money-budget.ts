import type { Caller } from './caller.ts';
import type { LimitSubject } from './limit-subject.ts';

/** Whose money it is. */
export type BudgetScope = 'account' | 'stack' | 'key';

/** A hard limit of a calendar month in UTC, in millionths of the currency's unit. */
export interface CallerBudget {
  readonly scope: BudgetScope;
  readonly hardMicros: number;
}

/** Money per month of accounts, stacks and keys. */
export interface MoneyBudget {
  /** Undefined if the caller has no budget; a promise only if this process must ask for more. Throws `budget-exceeded`. */
  reserve(caller: Caller, expectedMicros: number): HeldMoney | undefined | Promise<HeldMoney | undefined>;
}

/** All that this process has settled so far of one budget and month. */
export interface SettledMoney {
  readonly subject: LimitSubject;
  readonly micros: number;
}

/** A part of budgets held by a request; settled or released once. */
export interface HeldMoney {
  /** Returns the state of each of the budgets in this process. */
  settle(micros: number): readonly SettledMoney[];
  /** For a request that cost nothing. */
  release(): void;
}
