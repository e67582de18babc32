import { turnNowMs } from '../lib/clock.ts';
import type { Delivery } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { OutletListener } from './outlet.ts';
import type { StreamWatch, Watched } from './stream-watch.ts';
import { STREAM_LINES } from './text-delivery.ts';

/** A comment line, which is no event and has no number. */
const PING = ': ping\n\n';

/** Sends a stream of events piece by piece, as fast as its client reads. */
export class StreamDelivery implements Delivery, OutletListener, Watched {
  readonly #pieces: (signal: AbortSignal) => AsyncIterable<string>;
  readonly #watch: StreamWatch;
  #exchange!: Exchange;
  #isOver = false;
  #resume: () => void = () => {};
  #stalledSinceMs: number | undefined;
  #lastWriteMs = turnNowMs();
  watchIndex = 0;

  constructor(pieces: (signal: AbortSignal) => AsyncIterable<string>, watch: StreamWatch) {
    this.#pieces = pieces;
    this.#watch = watch;
  }

  deliver(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#watch.add(this);
    exchange.listen(this);
    void this.#send();
  }

  drained(): void {
    this.#stalledSinceMs = undefined;
    this.#resume();
  }

  closed(): void {
    this.#watch.remove(this);
    this.#isOver = true;
    this.#resume();
    this.#exchange.settle('gone');
  }

  sweep(nowMs: number): void {
    const { firstPingMs, stalledMs } = this.#watch.times;
    if (this.#stalledSinceMs !== undefined) {
      if (nowMs - this.#stalledSinceMs >= stalledMs) this.#exchange.outlet.destroy();
    } else if (!this.#isOver && nowMs - this.#lastWriteMs >= firstPingMs) this.#write(PING);
  }

  async #send(): Promise<void> {
    const { signal } = this.#exchange;
    try {
      for await (const piece of this.#pieces(signal)) {
        if (this.#isOver) return;
        if (!this.#write(piece)) await this.#untilDrained();
        if (this.#isOver) return;
      }
    } catch (error) {
      // Before the head it is an HTTP error; after it the connection is cut, and the client asks for the rest.
      if (!this.#isOver) this.#exchange.fail(error);
      return;
    }
    this.#isOver = true;
    this.#open();
    this.#stalledSinceMs ??= turnNowMs();
    this.#exchange.end('', 'ok');
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #write(piece: string): boolean {
    this.#open();
    this.#lastWriteMs = turnNowMs();
    const takesMore = this.#exchange.outlet.write(piece);
    if (!takesMore) this.#stalledSinceMs ??= turnNowMs();
    return takesMore;
  }

  #open(): void {
    if (!this.#exchange.outlet.isOpen) this.#exchange.open(STREAM_LINES);
  }
}
