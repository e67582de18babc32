import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { BodyDigest } from './body-digest.ts';
import type { HeldMemory } from './body-memory.ts';
import type { BodyRule } from './body-rules.ts';

/** A request as it came in, through the fast path or Node's server. */
export interface Incoming {
  readonly method: string | undefined;
  readonly url: string;
  /** At least the headers that the gateway reads, by their lower-case names. */
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  /** The client's address, as far as proxies are trusted. */
  readonly address: string;
  readonly key: RememberedKey;
  /** Opens an account for memory that the request holds. */
  openMemory(stackId: string): HeldMemory;
  /** Reads the body by the rule of its route, within the plan of the caller; operators have none. */
  body(rule: SizedRule, caller: Caller | undefined, holder: BodyHolder): unknown;
}

/** A rule for requests that have a body. */
export type SizedRule = Exclude<BodyRule, { kind: 'none' }>;

/** The request that a body belongs to. Read its signal only to wait: it is made on first use. */
export interface BodyHolder {
  readonly signal: AbortSignal;
  /** Hashes the body while it arrives; absent unless the request has an Idempotency-Key. */
  readonly digest: BodyDigest | undefined;
  /** Disposes this when the request is over. */
  keep(kept: Disposable): void;
}

/** The hash of a request's key, once computed. Requests of one connection with the same head share it. */
export interface RememberedKey {
  hash: string | undefined;
}
