import { type Outcome, outcomeOfStatus } from '../access/usage-recorder.ts';
import { type Fault, toFault } from '../faults/fault.ts';
import { turnNowMs } from '../lib/clock.ts';
import { headerLines } from '../lib/header-lines.ts';
import { ReplyCollector } from '../text/reply.ts';
import type { AnswerSink, TextAnswer } from '../text/text-engine.ts';
import type { TextEvent } from '../text/text-event.ts';
import type { StreamWriter, TextRequest } from '../text/text-wire.ts';
import { isRefusedHere } from '../upstream/engine-faults.ts';
import type { Delivery } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { knowledgeSources } from './knowledge-sources.ts';
import type { OutletListener } from './outlet.ts';
import type { StreamWatch, Watched } from './stream-watch.ts';

/** The headers of a stream of events. */
export const STREAM_LINES = headerLines({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
});

/**
 * Sends an engine's answer to its client: events in, bytes out, in the same turn of the event loop. The head of a stream is sent
 * with its first piece or its first ping. A failure before that is an HTTP error, unless the stream must begin with a token
 * count: then only a refusal is. A later failure ends the stream with an error in the client's format.
 */
export class TextDelivery implements Delivery, AnswerSink, OutletListener, Watched {
  readonly #text: TextRequest;
  readonly #watch: StreamWatch;
  readonly #writer: StreamWriter | undefined;
  readonly #collector: ReplyCollector | undefined;
  #answer!: TextAnswer;
  #exchange!: Exchange;
  /** Aborts the token count that the stream must begin with. */
  #beginning: AbortController | undefined;
  #hasFailed = false;
  #isOver = false;
  watchIndex = 0;
  #lastWriteMs = turnNowMs();
  #hasPinged = false;
  #stalledSinceMs: number | undefined;

  constructor(text: TextRequest, watch: StreamWatch) {
    this.#text = text;
    this.#watch = watch;
    if (text.streaming) this.#writer = text.writer();
    else this.#collector = new ReplyCollector();
  }

  /** Sets the answer, which has this delivery as its sink. */
  of(answer: TextAnswer): this {
    this.#answer = answer;
    return this;
  }

  deliver(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#watch.add(this);
    exchange.listen(this);
    if (!this.#isOver) this.#answer.begin();
  }

  onEvents(events: readonly TextEvent[]): void {
    if (this.#isOver) return;
    try {
      if (this.#writer === undefined) this.#collect(events);
      else this.#stream(this.#writer, events);
    } catch (error) {
      this.#answer.stop();
      this.onFailure(error);
    }
  }

  onFailure(error: unknown): void {
    if (this.#isOver || this.#hasFailed) return;
    this.#hasFailed = true;
    const fault = toFault(error);
    if (this.#exchange.outlet.isOpen) this.#failStream(fault, '');
    else if (this.#mustBegin && !isRefusedHere(fault))
      void this.#begin((start) => this.#failStream(fault, start));
    else {
      this.#end();
      this.#exchange.fail(error);
    }
  }

  drained(): void {
    this.#stalledSinceMs = undefined;
    if (!this.#isOver) this.#answer.setFlowing(true);
  }

  closed(): void {
    this.#watch.remove(this);
    if (this.#isOver) return;
    this.#end();
    this.#answer.stop();
    this.#exchange.settle('gone');
  }

  /** Pings a silent stream, and ends one whose client reads nothing. */
  sweep(nowMs: number): void {
    const { firstPingMs, nextPingMs, stalledMs } = this.#watch.times;
    if (this.#stalledSinceMs !== undefined) {
      if (nowMs - this.#stalledSinceMs >= stalledMs) this.#exchange.outlet.destroy();
      return;
    }
    const writer = this.#writer;
    const silenceMs = this.#hasPinged ? (this.#text.nextPingMs ?? nextPingMs) : firstPingMs;
    if (this.#isOver || writer === undefined || nowMs - this.#lastWriteMs < silenceMs) return;
    this.#hasPinged = true;
    this.#lastWriteMs = nowMs;
    if (this.#exchange.outlet.isOpen || !this.#mustBegin) this.#write(writer.ping());
    else if (this.#beginning === undefined) void this.#begin((start) => this.#breakSilence(writer, start));
  }

  /** Whether the stream must begin with a token count, before any ping or error. */
  get #mustBegin(): boolean {
    return this.#writer !== undefined && this.#text.countFirst;
  }

  /** Writes the first event of a stream that its engine has not begun yet; it is empty if the engine begins meanwhile. */
  async #begin(use: (start: string) => void): Promise<void> {
    this.#beginning ??= new AbortController();
    const patience = AbortSignal.timeout(this.#watch.times.beginMs);
    const start = await this.#answer.start(AbortSignal.any([this.#beginning.signal, patience]));
    if (!this.#isOver) use(this.#writer?.write(start) ?? '');
  }

  #breakSilence(writer: StreamWriter, start: string): void {
    if (start === '') return;
    this.#lastWriteMs = turnNowMs();
    this.#write(start + writer.ping());
  }

  #failStream(fault: Fault, start: string): void {
    this.#exchange.noteFailure(fault);
    const end = this.#writer?.fail(fault, this.#exchange.id) ?? '';
    this.#endStream(start + end, outcomeOfStatus(fault.status));
  }

  #collect(events: readonly TextEvent[]): void {
    for (const event of events) this.#collector?.add(event);
    if (events.at(-1)?.type !== 'finish' || this.#collector === undefined) return;
    const body = this.#text.reply(this.#collector.reply());
    this.#end();
    this.#exchange.send({
      contentType: 'application/json',
      headers: knowledgeSources(this.#answer.passages),
      body,
    });
    this.#awaitReader();
  }

  /** All events of a batch leave in one write. */
  #stream(writer: StreamWriter, events: readonly TextEvent[]): void {
    let piece = '';
    for (const event of events) piece += writer.write(event);
    this.#exchange.noteEvents(events);
    this.#hasPinged = false;
    this.#lastWriteMs = turnNowMs();
    if (events.at(-1)?.type === 'finish') {
      this.#endStream(piece, 'ok');
    } else if (piece !== '') this.#write(piece);
  }

  #write(piece: string): void {
    this.#open();
    if (this.#exchange.outlet.write(piece)) return;
    this.#stalledSinceMs ??= turnNowMs();
    this.#answer.setFlowing(false);
  }

  #endStream(piece: string, outcome: Outcome): void {
    this.#open();
    this.#end();
    this.#exchange.end(piece, outcome);
    this.#awaitReader();
  }

  #open(): void {
    if (this.#exchange.outlet.isOpen) return;
    const sources = knowledgeSources(this.#answer.passages);
    this.#exchange.open(sources === undefined ? STREAM_LINES : STREAM_LINES + headerLines(sources));
  }

  #end(): void {
    this.#isOver = true;
    this.#beginning?.abort();
  }

  /** Gives the client a bounded time to read the rest. */
  #awaitReader(): void {
    this.#stalledSinceMs ??= turnNowMs();
  }
}
