import type { Caller } from './caller.ts';

/** Tokens per UTC day and stack. */
export interface TokenBudget {
  /** Undefined where the caller's plan has no budget; a promise only where this process must ask for more tokens. Throws `token-budget-exceeded`. */
  reserve(caller: Caller, expectedTokens: number): Reservation | undefined | Promise<Reservation | undefined>;
}

/** A part of a budget that a request holds: reserved, then settled or released, once. */
export interface Reservation {
  /** The request used this many. */
  settle(tokens: number): void;
  /** The request never reached an engine. */
  release(): void;
}
