import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it came in, before anything is known about it. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  /** The client's address, as far as proxies are trusted. */
  readonly address: string;
}
