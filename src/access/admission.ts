import type { Caller } from './caller.ts';

/** Who may start a request: takes a place, waits for one, or throws the fault that says why not. */
export interface Admission {
  /** A promise only where others must be asked. */
  admit(caller: Caller, request: Abortable): Permit | Promise<Permit>;
}

/** A place taken; giving it back twice does nothing. */
export interface Permit {
  release(): void;
}

/** Who asks for something; the signal is taken only where there is something to wait for. */
export interface Abortable {
  readonly signal: AbortSignal;
}
