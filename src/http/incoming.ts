import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { BodyRule } from './body-rules.ts';

/** A request as it came in, through the fast path or Node's server. */
export interface Incoming {
  readonly method: string | undefined;
  readonly url: string;
  /** Those that anything here asks for, by their lower-case names. */
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  /** The client's address, as far as proxies are trusted. */
  readonly address: string;
  readonly key: RememberedKey;
  /** What the body means, by the rule of its route. */
  body(rule: SizedRule, caller: Caller, holder: BodyHolder): unknown;
}

/** A rule for requests that have a body. */
export type SizedRule = Exclude<BodyRule, { kind: 'none' }>;

/** The request that a body belongs to; its signal is made only where something waits. */
export interface BodyHolder {
  readonly signal: AbortSignal;
  /** Keeps something until the request is over. */
  keep(kept: Disposable): void;
}

/** What the key of a request was hashed to, once it was; requests of a connection that repeat a head share it. */
export interface RememberedKey {
  hash: string | undefined;
}
