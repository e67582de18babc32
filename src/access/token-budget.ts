import type { Caller } from './caller.ts';

/** Tokens per UTC day and stack. */
export interface TokenBudget {
  /** Undefined if the plan has no budget; a promise only if this process must ask for more. Throws `token-budget-exceeded`. */
  reserve(caller: Caller, expectedTokens: number): Reservation | undefined | Promise<Reservation | undefined>;
}

/** A part of a budget held by a request; settled or released once. */
export interface Reservation {
  settle(tokens: number): void;
  /** For a request that never reached an engine. */
  release(): void;
}
