import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import type { Arrival } from './arrival.ts';
import type { Exchange } from './exchange.ts';
import type { OpenRequest } from './route.ts';

/** Who asks, if that is known, and what was sent. */
interface Asked {
  readonly caller: Caller | undefined;
  readonly meter: Meter | undefined;
  readonly body: unknown;
}

/** A request as a route sees it. What is seldom asked for is made only then: an AbortSignal costs a tenth of a small request. */
export class RequestView<Known extends Asked> implements OpenRequest {
  readonly caller: Known['caller'];
  readonly meter: Known['meter'];
  readonly body: unknown;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, arrival: Arrival, asked: Known) {
    this.#exchange = exchange;
    this.requestId = exchange.id;
    this.params = arrival.params;
    this.caller = asked.caller;
    this.meter = asked.meter;
    this.body = asked.body;
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
