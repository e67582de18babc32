import type { Caller } from './caller.ts';

/** A key found by its hash, and when it expires. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly expiresAt: Date | undefined;
}

/** Looks up callers. `undefined` for unknown, revoked and expired keys alike. */
export interface CallerDirectory {
  find(secretHash: string): Promise<KnownCaller | undefined>;
  /** The caller of a key by its names, without its secret: for links that the key made. */
  findKey(stackId: string, keyId: string): Promise<KnownCaller | undefined>;
  /** The hashes that belong to a key, valid or not: one query for many suspects. */
  existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>>;
}
