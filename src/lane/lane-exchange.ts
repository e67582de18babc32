import { Buffer } from 'node:buffer';
import type { Place } from '../access/admission.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestMeter } from '../access/request-meter.ts';
import type { Outcome } from '../access/usage-recorder.ts';
import type { Family } from '../families/family.ts';
import type { RateStandings } from '../families/rate-headers.ts';
import { renderFault } from '../families/rendered-fault.ts';
import { type Fault, toFault } from '../faults/fault.ts';
import { outcomeOfStatus } from '../http/request-handler.ts';
import { CLIENT_GONE_STATUS, type JournalEntry, type RequestJournal } from '../http/request-journal.ts';
import type { StreamTimes } from '../http/send-event-stream.ts';
import { turnNowMs } from '../lib/clock.ts';
import { AnswerTally } from '../text/answer-tally.ts';
import type { Conversation } from '../text/conversation.ts';
import { lateStart } from '../text/late-start.ts';
import { ReplyCollector } from '../text/reply.ts';
import type { AnswerSink, PushedAnswer, TextEngine } from '../text/text-engine.ts';
import type { TextEvent } from '../text/text-event.ts';
import type { StreamWriter, TextExchange } from '../text/text-wire.ts';
import { type AnswerHeads, headerLines } from './answer-head.ts';
import type { LaneConnection } from './lane-connection.ts';

export interface LaneExchangeParts {
  readonly connection: LaneConnection;
  /** The client's address. */
  readonly client: string;
  readonly caller: Caller;
  readonly heads: AnswerHeads;
  readonly journal: RequestJournal;
  readonly streamTimes: StreamTimes;
  /** Whether the connection is to be closed after the answer. */
  readonly isDraining: () => boolean;
  readonly family: Family;
  readonly entry: JournalEntry;
  readonly text: TextExchange;
  /** What the engine is sent. */
  readonly conversation: Conversation;
  readonly engine: TextEngine;
  readonly meter: RequestMeter;
  /** How the caller stands with its rates; absent where it has none. */
  readonly rates: (() => RateStandings) | undefined;
}

const eventStream = headerLines({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'transfer-encoding': 'chunked',
});
const wholeJson = headerLines({ 'content-type': 'application/json' });
const LAST_CHUNK = '0\r\n\r\n';

/** One request between its client's connection and its engine. Everything happens in the tick that caused it. */
export class LaneExchange implements AnswerSink {
  readonly #parts: LaneExchangeParts;
  readonly #tally: AnswerTally;
  readonly #writer: StreamWriter | undefined;
  readonly #collector: ReplyCollector | undefined;
  #answer: PushedAnswer | undefined;
  #place: Place | undefined;
  #hasHead = false;
  /** Of the count of a prompt with which a stream has to begin by itself. */
  #beginning: AbortController | undefined;
  #hasFailed = false;
  #isOver = false;
  #isClosed = false;
  #status = CLIENT_GONE_STATUS;
  #lastWriteMs: number;
  #hasPinged = false;
  #stalledSinceMs: number | undefined;

  constructor(parts: LaneExchangeParts) {
    this.#parts = parts;
    this.#lastWriteMs = parts.entry.startedMs;
    const { streaming } = parts.text;
    this.#tally = new AnswerTally(parts.conversation, parts.meter, streaming ? undefined : parts.engine.pace);
    if (streaming) this.#writer = parts.text.writer();
    else this.#collector = new ReplyCollector();
  }

  /** Gives it what it works with. */
  equip(answer: PushedAnswer, place: Place): void {
    this.#answer = answer;
    this.#place = place;
  }

  begin(): void {
    this.#answer?.begin();
  }

  onEvents(events: readonly TextEvent[]): void {
    if (this.#isOver) return;
    try {
      this.#tally.count(events);
      if (this.#writer === undefined) this.#collect(events);
      else this.#stream(this.#writer, events);
    } catch (error) {
      this.#answer?.stop();
      this.onFailure(error);
    }
  }

  onFailure(error: unknown): void {
    if (this.#isOver || this.#hasFailed) return;
    const { journal, family, entry, caller } = this.#parts;
    this.#hasFailed = true;
    if (this.#tally.hasWords) this.#tally.endEarly();
    journal.noteFailure({ id: entry.id, caller }, error);
    const fault = toFault(error);
    if (this.#hasHead) this.#failStream(fault, '');
    else if (this.#mustBegin) void this.#begin((start) => this.#failStream(fault, start));
    else {
      const { status, headers, body } = renderFault(fault, family, entry.id);
      this.#sendWhole(status, headerLines(headers), body);
      this.#end(status, outcomeOfStatus(status));
    }
  }

  /** The client's connection is closed. */
  clientGone(): void {
    if (this.#isOver) {
      this.#close(false);
      return;
    }
    this.#answer?.stop();
    if (!this.#hasFailed) this.#tally.endEarly();
    this.#end(CLIENT_GONE_STATUS, 'gone');
  }

  clientDrained(): void {
    this.#stalledSinceMs = undefined;
    if (!this.#isOver) this.#answer?.setFlowing(true);
  }

  /** Keeps a silent stream alive, and ends one whose reader takes nothing. */
  sweep(nowMs: number): void {
    const { streamTimes, connection } = this.#parts;
    if (this.#stalledSinceMs !== undefined) {
      if (nowMs - this.#stalledSinceMs >= streamTimes.stalledMs) connection.destroy();
      return;
    }
    const silenceMs = this.#hasPinged ? streamTimes.nextPingMs : streamTimes.firstPingMs;
    const writer = this.#writer;
    if (this.#isOver || writer === undefined || nowMs - this.#lastWriteMs < silenceMs) return;
    this.#hasPinged = true;
    this.#lastWriteMs = nowMs;
    if (this.#hasHead || !this.#mustBegin) this.#sendPiece(writer.ping(), false);
    else if (this.#beginning === undefined) void this.#begin((start) => this.#breakSilence(writer, start));
  }

  /** Whether a stream of the format has a first event that nothing may come before. */
  get #mustBegin(): boolean {
    return this.#writer !== undefined && this.#parts.text.countFirst;
  }

  /** Writes the first event of a stream whose engine has not begun it by itself; it is empty where it has meanwhile. */
  async #begin(use: (start: string) => void): Promise<void> {
    const { conversation, engine, meter, caller, streamTimes } = this.#parts;
    this.#beginning ??= new AbortController();
    const patience = AbortSignal.any([this.#beginning.signal, AbortSignal.timeout(streamTimes.beginMs)]);
    const start = await lateStart({ engine, conversation, meter, caller }, patience);
    if (!this.#isOver) use(this.#writer?.write(start) ?? '');
  }

  #breakSilence(writer: StreamWriter, start: string): void {
    if (start === '') return;
    this.#lastWriteMs = turnNowMs();
    this.#sendPiece(start + writer.ping(), false);
  }

  #failStream(fault: Fault, start: string): void {
    this.#sendPiece(start + (this.#writer?.fail(fault, this.#parts.entry.id) ?? ''), true);
    this.#end(200, outcomeOfStatus(fault.status));
  }

  #collect(events: readonly TextEvent[]): void {
    const { text } = this.#parts;
    for (const event of events) this.#collector?.add(event);
    if (events.at(-1)?.type !== 'finish' || this.#collector === undefined) return;
    this.#sendWhole(200, wholeJson, text.reply(this.#collector.reply()));
    this.#end(200, 'ok');
  }

  /** All events of a batch leave in one write, the head with the first of them. */
  #stream(writer: StreamWriter, events: readonly TextEvent[]): void {
    let piece = '';
    for (const event of events) piece += writer.write(event);
    const isLast = events.at(-1)?.type === 'finish';
    if (piece === '' && !isLast) return;
    this.#hasPinged = false;
    this.#lastWriteMs = turnNowMs();
    this.#sendPiece(piece, isLast);
    if (isLast) this.#end(200, 'ok');
  }

  #streamHead(): string {
    if (this.#hasHead) return '';
    this.#hasHead = true;
    return this.#head(200, eventStream);
  }

  #sendWhole(status: number, lines: string, body: string): void {
    const sizeBytes = Buffer.byteLength(body);
    const head = this.#head(status, `${lines}content-length: ${sizeBytes}\r\n`);
    this.#send(head + body, sizeBytes === body.length);
  }

  /** A piece of a stream, in the framing of a body whose length nobody knows. */
  #sendPiece(piece: string, isLast: boolean): void {
    const sizeBytes = Buffer.byteLength(piece);
    const chunk = sizeBytes === 0 ? '' : `${sizeBytes.toString(16)}\r\n${piece}\r\n`;
    this.#send(this.#streamHead() + chunk + (isLast ? LAST_CHUNK : ''), sizeBytes === piece.length);
  }

  #head(status: number, own: string): string {
    const { heads, entry, family, rates, isDraining, connection } = this.#parts;
    const closes = isDraining() && !connection.hasMore;
    if (closes) connection.closeSoon();
    const lines = rates === undefined ? own : family.rateLines(rates()) + own;
    return heads.write({ status, requestId: entry.id, lines, closes });
  }

  #send(text: string, isPlain: boolean): void {
    if (this.#parts.connection.write(text, isPlain)) return;
    this.#stalledSinceMs ??= turnNowMs();
    this.#answer?.setFlowing(false);
  }

  #end(status: number, outcome: Outcome): void {
    this.#isOver = true;
    this.#beginning?.abort();
    this.#status = status;
    const { meter, entry, connection } = this.#parts;
    meter.close(outcome, turnNowMs() - entry.startedMs);
    this.#place?.giveBack();
    if (outcome === 'gone') this.#close(false);
    else connection.whenFlushed((isSent) => this.#close(isSent));
    // A reader that never takes the rest is not waited for either.
    if (!this.#isClosed) this.#stalledSinceMs ??= turnNowMs();
  }

  /** All is sent, or will never be. */
  #close(isSent: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { entry, connection, client, caller } = this.#parts;
    entry.close({ status: isSent ? this.#status : CLIENT_GONE_STATUS, method: 'POST', client, caller });
    connection.next();
  }
}
