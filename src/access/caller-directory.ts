import type { Caller } from './caller.ts';

/** A key found by its hash, and when it expires. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly expiresAt: Date | undefined;
}

/** Finds the caller of a key without its secret, for work that goes on after its request. */
export interface KeyDirectory {
  /** `undefined` for keys that are not valid now. */
  findKey(stackId: string, keyId: string): Promise<Caller | undefined>;
}

/** Looks up callers. `undefined` for unknown, revoked and expired keys alike. */
export interface CallerDirectory {
  find(secretHash: string): Promise<KnownCaller | undefined>;
  /** The hashes that belong to a key, valid or not: one query for many suspects. */
  existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>>;
}
