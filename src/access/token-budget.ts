import type { Caller } from './caller.ts';

/** Tokens per UTC day and stack. */
export interface TokenBudget {
  /** Undefined where the caller's plan has no budget; a promise only where this process must ask for more tokens. Throws `token-budget-exceeded`. */
  reserve(caller: Caller, expectedTokens: number): Reservation | undefined | Promise<Reservation | undefined>;
  /** Whether `reserve` would grant something without a promise. */
  hasLeftNow(caller: Caller): boolean;
  /** Asks for more tokens where `hasLeftNow` says no; undefined where there is nothing to wait for. */
  replenish(caller: Caller): Promise<unknown> | undefined;
}

/** A part of a budget that a request holds: reserved, then settled or released, once. */
export interface Reservation {
  /** The request used this many. */
  settle(tokens: number): void;
  /** The request never reached an engine. */
  release(): void;
}
