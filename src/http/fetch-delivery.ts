import type { Delivery } from './delivery.ts';
import type { Exchange } from './exchange.ts';
import { StreamDelivery } from './stream-delivery.ts';
import type { StreamWatch } from './stream-watch.ts';

/** Sends a web `Response`, whole or event by event. */
export class FetchDelivery implements Delivery {
  readonly #respond: (exchange: Exchange) => Promise<Response>;
  readonly #watch: StreamWatch;

  constructor(respond: (exchange: Exchange) => Promise<Response>, watch: StreamWatch) {
    this.#respond = respond;
    this.#watch = watch;
  }

  deliver(exchange: Exchange): void {
    this.#deliver(exchange).catch((error: unknown) => {
      if (exchange.outlet.isGone) exchange.settle('gone');
      else exchange.fail(error);
    });
  }

  async #deliver(exchange: Exchange): Promise<void> {
    const response = await this.#respond(exchange);
    const { status, body } = response;
    const contentType = response.headers.get('content-type') ?? 'application/json';
    if (body !== null && contentType.startsWith('text/event-stream'))
      new StreamDelivery((signal) => piecesOf(body, signal), this.#watch).deliver(exchange);
    else exchange.send({ status, contentType, body: Buffer.from(await response.arrayBuffer()) });
  }
}

/** Cancels the body when the client leaves. */
async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const text = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    yield text.decode(read.value, { stream: true });
}
