import type { Caller } from './caller.ts';

/** A key found by its hash, with the moment at which it stops being good by itself. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly expiresAt: Date | undefined;
}

/** Where callers are looked up. Answers `undefined` for unknown, revoked and expired keys alike. */
export interface CallerDirectory {
  find(secretHash: string): Promise<KnownCaller | undefined>;
  /** Those of these hashes that are of a key, good or not: one question for many that are probably wrong. */
  existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>>;
}
