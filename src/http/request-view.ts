import type { Caller } from '../access/caller.ts';
import type { Arrival } from './arrival.ts';
import type { Exchange } from './exchange.ts';
import type { OpenRequest } from './route.ts';

/** A request as a route sees it. What is seldom asked for is made only then: an AbortSignal costs a tenth of a small request. */
export class RequestView<Known extends Caller | undefined> implements OpenRequest {
  readonly caller: Known;
  readonly body: unknown;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly #exchange: Exchange;

  constructor(
    exchange: Exchange,
    arrival: Arrival,
    known: { readonly caller: Known; readonly body: unknown },
  ) {
    this.#exchange = exchange;
    this.requestId = exchange.id;
    this.params = arrival.params;
    this.caller = known.caller;
    this.body = known.body;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  header(name: string): string | undefined {
    const value = this.#exchange.request.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  get query(): URLSearchParams {
    const url = this.#exchange.request.url ?? '';
    const mark = url.indexOf('?');
    return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  }
}
