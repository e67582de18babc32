import type { Caller } from './caller.ts';
import type { Used } from './meter.ts';
import type { SettledMoney } from './money-budget.ts';

/**
 * How a request ended: answered; refused for its content (`client`) or a ceiling (`limit`); failed on our side (`server`); or
 * abandoned by its client (`gone`).
 */
export type Outcome = 'ok' | 'client' | 'limit' | 'server' | 'gone';

/** The outcome of a request that was answered with this status. */
export function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'ok';
  if (status === 429) return 'limit';
  return status < 500 ? 'client' : 'server';
}

/** A finished request and its usage. */
export interface EndedRequest extends Used {
  readonly caller: Caller;
  /** The route's path pattern. */
  readonly endpoint: string;
  /** Undefined if no model was called. */
  readonly model: string | undefined;
  /** In millionths of the currency's unit. */
  readonly costMicros: number;
  readonly outcome: Outcome;
  readonly latencyMs: number;
  /** The day of the budget that its tokens were settled in; undefined if there is none. */
  readonly settledDay: string | undefined;
  /** All tokens that this process has settled in that budget so far. */
  readonly settledTokens: number;
  /** The budgets of money that its cost was settled in; undefined if there are none. */
  readonly settledMoney: readonly SettledMoney[] | undefined;
}

/** Called once for every finished request of a known caller. It copies what it needs at once, and never fails. */
export interface UsageRecorder {
  record(request: EndedRequest): void;
  /** Has what was recorded survive the end of the process; called before an answer is complete. Absent: nothing does. */
  secure?(): void;
}
