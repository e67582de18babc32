import type { Caller } from './caller.ts';

/** Tokens per UTC day and stack. */
export interface TokenBudget {
  /** Undefined if the plan has no budget; a promise only if this process must ask for more. Throws `token-budget-exceeded`. */
  reserve(caller: Caller, expectedTokens: number): Reservation | undefined | Promise<Reservation | undefined>;
}

/** The tokens of a stack and day that this process has settled. */
export interface SettledBudget {
  readonly day: string;
  readonly tokens: number;
}

/** A part of a budget held by a request; settled or released once. */
export interface Reservation {
  /** Returns the state of the budget in this process. */
  settle(tokens: number): SettledBudget;
  /** For a request that never reached an engine. */
  release(): void;
}
