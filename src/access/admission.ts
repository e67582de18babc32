import type { Caller } from './caller.ts';

/** Decides whether a request may start: gives a permit, possibly after a wait, or throws the fault of the limit it hit. */
export interface Admission {
  /** A promise only if other processes must be asked. */
  admit(caller: Caller, request: Abortable): Permit | Promise<Permit>;
}

/** The right to serve one request; releasing it twice does nothing. */
export interface Permit {
  release(): void;
}

/** Provides a signal; it is read only if there is something to wait for, because creating one is expensive. */
export interface Abortable {
  readonly signal: AbortSignal;
}
