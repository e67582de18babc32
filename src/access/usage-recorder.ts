import type { Caller } from './caller.ts';
import type { Used } from './meter.ts';

/**
 * How a request ended: answered; refused for what it asked (`client`) or for a ceiling (`limit`);
 * failed on this side (`server`); or left by its client (`gone`).
 */
export type Outcome = 'ok' | 'client' | 'limit' | 'server' | 'gone';

/** A request that is over, and what it used. */
export interface EndedRequest extends Used {
  readonly caller: Caller;
  /** The path pattern of its route. */
  readonly endpoint: string;
  /** Undefined where no model was asked. */
  readonly model: string | undefined;
  readonly outcome: Outcome;
  readonly latencyMs: number;
}

/** Told of every request of a known caller, once, when it is over. It takes what it keeps at once: no promise, no failure. */
export interface UsageRecorder {
  record(request: EndedRequest): void;
}
