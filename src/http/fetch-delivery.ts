import { headerLines } from '../lib/header-lines.ts';
import type { Delivery } from './delivery.ts';
import type { Exchange } from './exchange.ts';

/** Sends a web `Response`, whole or event by event. */
export class FetchDelivery implements Delivery {
  readonly #respond: (exchange: Exchange) => Promise<Response>;

  constructor(respond: (exchange: Exchange) => Promise<Response>) {
    this.#respond = respond;
  }

  deliver(exchange: Exchange): void {
    this.#deliver(exchange).catch((error: unknown) => {
      if (exchange.outlet.isGone) exchange.settle('gone');
      else exchange.fail(error);
    });
  }

  async #deliver(exchange: Exchange): Promise<void> {
    const response = await this.#respond(exchange);
    const contentType = response.headers.get('content-type') ?? 'application/json';
    if (response.body !== null && contentType.startsWith('text/event-stream'))
      return await sendEvents(response.body, exchange, contentType);
    exchange.send({
      status: response.status,
      contentType,
      body: Buffer.from(await response.arrayBuffer()),
    });
  }
}

/** Cancels the stream when the client leaves, and waits while it reads nothing. */
async function sendEvents(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
  contentType: string,
): Promise<void> {
  const reader = body.getReader();
  let goOn = () => {};
  exchange.listen({
    drained: () => goOn(),
    closed: (isComplete) => {
      if (!isComplete) reader.cancel().catch(() => {});
      goOn();
    },
  });
  const { outlet } = exchange;
  exchange.open(
    headerLines({ 'content-type': contentType, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }),
  );
  const text = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const drained = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!outlet.write(text.decode(read.value, { stream: true })) && !outlet.isGone) await drained;
  }
  if (!outlet.isGone) outlet.end('');
  exchange.settle('ok');
}
