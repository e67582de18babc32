import type { Caller } from './caller.ts';

/** A secret's holder found by its hash, and when the secret expires. */
export interface KnownHolder<Holder> {
  readonly caller: Holder;
  readonly expiresAt: Date | undefined;
}

/** A key found by its hash, and when it expires. */
export type KnownCaller = KnownHolder<Caller>;

/** Looks up holders of secrets. `undefined` for unknown, revoked and expired secrets alike. */
export interface SecretDirectory<Holder> {
  find(secretHash: string): Promise<KnownHolder<Holder> | undefined>;
  /** The hashes that belong to a secret, valid or not: one query for many suspects. */
  existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Looks up callers. */
export interface CallerDirectory extends SecretDirectory<Caller> {
  /** The caller of a key by its names, without its secret: for links that the key made, and for work that outlasts its request. */
  findKey(stackId: string, keyId: string): Promise<KnownCaller | undefined>;
}
