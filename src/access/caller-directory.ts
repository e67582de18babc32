import type { Caller } from './caller.ts';

/** A key found by its hash, with the moment at which it stops being good by itself. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly expiresAt: Date | undefined;
}

/** Where callers are looked up. Answers `undefined` for unknown, revoked and expired keys alike. */
export interface CallerDirectory {
  find(secretHash: string): Promise<KnownCaller | undefined>;
}
