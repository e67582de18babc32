import type { Caller } from './caller.ts';

/** What is about to be done, and so which ceilings apply. */
export type Work = 'request';

/** Who may start what: takes a place, waits for one, or throws the fault that says why not. */
export interface Admission {
  admit(caller: Caller, work: Work, request: Abortable): Permit | Promise<Permit>;
  /** Takes a place only if that can be decided at once; `undefined` where it is refused, or others must be asked. */
  admitNow?(caller: Caller): Place | undefined;
  /** Asks others for places where `admitNow` would have to; undefined where there is nothing to wait for. */
  replenish?(caller: Caller): Promise<unknown> | undefined;
}

/** A place of a request that says itself when it is over. */
export interface Place {
  giveBack(): void;
}

/** Who asks for a place; the signal is taken only where there is something to wait for or to give back. */
export interface Abortable {
  readonly signal: AbortSignal;
}

/** A place taken; disposing gives it back, and so does the abort of the signal it was asked with. */
export interface Permit extends AsyncDisposable {
  readonly waitedMs: number;
  /** Aborts when the place is taken away, for example because a lease ran out: stop the work. */
  readonly lost: AbortSignal;
}
