import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Exchange } from './exchange.ts';
import type { OpenRequest } from './route.ts';

/** The caller of a request, if it is known, and the body. */
interface Asked {
  readonly caller: Caller | undefined;
  readonly meter: Meter | undefined;
  readonly body: unknown;
}

/** A request as a route sees it. Rarely used values are made on first use. */
export class RequestView<Known extends Asked> implements OpenRequest {
  readonly caller: Known['caller'];
  readonly meter: Known['meter'];
  readonly body: unknown;
  readonly requestId: string;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, { caller, meter, body }: Known) {
    this.#exchange = exchange;
    this.requestId = exchange.id;
    this.caller = caller;
    this.meter = meter;
    this.body = body;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get trace(): RequestTrace | undefined {
    return this.#exchange.trace;
  }

  holdMemory(bytes: number): void {
    this.#exchange.holdMemory(bytes);
  }

  get params(): Readonly<Record<string, string>> {
    return this.#exchange.incoming.params;
  }

  header(name: string): string | undefined {
    const value = this.#exchange.incoming.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  get query(): URLSearchParams {
    const { url } = this.#exchange.incoming;
    const mark = url.indexOf('?');
    return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  }
}
