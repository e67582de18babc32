import type { Permit } from '../access/admission.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestMeter } from '../access/request-meter.ts';
import { type Outcome, outcomeOfStatus } from '../access/usage-recorder.ts';
import type { Family } from '../families/family.ts';
import { renderFault } from '../families/rendered-fault.ts';
import { type Fault, toFault } from '../faults/fault.ts';
import type { KeptAnswer } from '../idempotency/kept-answer.ts';
import type { RunningRequest } from '../idempotency/running-request.ts';
import { turnNowMs } from '../lib/clock.ts';
import { headerLines } from '../lib/header-lines.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Answer } from './answer.ts';
import { AnswerRecorder } from './answer-recorder.ts';
import type { BodyDigest } from './body-digest.ts';
import type { CapturedRequest } from './captures.ts';
import { ClientGone, isClientGone } from './client-gone.ts';
import type { Incoming } from './incoming.ts';
import type { AnswerHead, Outlet, OutletListener } from './outlet.ts';
import { CLIENT_GONE_STATUS, type JournalEntry, type RequestJournal } from './request-journal.ts';

export interface ExchangeParts {
  readonly incoming: Incoming;
  readonly outlet: Outlet;
  readonly family: Family;
  readonly entry: JournalEntry;
  readonly journal: RequestJournal;
}

/** The authenticated caller of a request, with its meter and rates. */
export interface Serving {
  readonly caller: Caller;
  readonly meter: RequestMeter;
  /** The header lines with the caller's rates; absent if it has none. */
  readonly rateLines: (() => string) | undefined;
  /** Absent: the request is not captured. */
  readonly captured: CapturedRequest | undefined;
}

const NOTHING_KEPT: readonly Disposable[] = [];

/** One request and its answer, on the fast path or Node's server. Settling it releases everything it holds. */
export class Exchange implements OutletListener {
  readonly id: string;
  readonly incoming: Incoming;
  /** Its trace; absent if traces are not sent anywhere. */
  trace: RequestTrace | undefined;
  /** Hashes the body while it is read, if present. */
  digest: BodyDigest | undefined;
  readonly #parts: ExchangeParts;
  #outlet: Outlet;
  #recorder: AnswerRecorder | undefined;
  #serving: Serving | undefined;
  #permit: Permit | undefined;
  #kept: readonly Disposable[] = NOTHING_KEPT;
  #listener: OutletListener | undefined;
  #leaving: AbortController | undefined;
  #status = CLIENT_GONE_STATUS;
  #isStream = false;
  #errorCode: string | undefined;
  #countedAs: Outcome | undefined;
  #firstTokenMs: number | undefined;
  #hasLogLine = true;
  #isSettled = false;
  #isClosed = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.id = parts.entry.id;
    this.incoming = parts.incoming;
    this.#outlet = parts.outlet;
    parts.outlet.listen(this);
  }

  get outlet(): Outlet {
    return this.#outlet;
  }

  /** Has the answer go through another outlet; called before anything is sent. */
  tap(wrap: (outlet: Outlet) => Outlet): void {
    this.#outlet = wrap(this.#outlet);
  }

  /** Aborts when the client leaves before its answer is complete. Made on first use: it costs a tenth of a small request. */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      this.#leaving = new AbortController();
      if (this.outlet.isGone) this.#leaving.abort(new ClientGone());
    }
    return this.#leaving.signal;
  }

  /** Sets the caller, once it is authenticated. */
  serve(serving: Serving): void {
    this.#serving = serving;
  }

  /** Names the part of the endpoint that was asked, for the usage. */
  narrow(part: string): void {
    this.#serving?.meter.narrow(part);
  }

  /** Holds the permit until the exchange ends; throws if the client has already left. */
  hold(permit: Permit): void {
    this.#permit = permit;
    if (!this.#isClosed) return;
    permit.release();
    throw new ClientGone();
  }

  /** Records the answer for later requests with the same Idempotency-Key. From now on the client may leave without ending the request. */
  record(running: RunningRequest): void {
    if (this.#isClosed) {
      void running.end(undefined);
      throw new ClientGone();
    }
    const memory = this.incoming.openMemory(this.#serving?.caller.stack.id ?? '');
    const onOver = () => this.closed(false);
    this.#recorder = new AnswerRecorder({ outlet: this.#outlet, running, memory, onOver });
    this.#outlet = this.#recorder;
  }

  /** Disposes this when the exchange is settled. */
  keep(kept: Disposable): void {
    this.#kept = [...this.#kept, kept];
    if (this.#isSettled) kept[Symbol.dispose]();
  }

  /** Holds memory for the caller until the exchange is settled; throws if there is no room. */
  holdMemory(bytes: number): void {
    const memory = this.incoming.openMemory(this.#serving?.caller.stack.id ?? '');
    this.keep(memory);
    const noRoom = memory.grow(bytes);
    if (noRoom !== undefined) throw noRoom;
  }

  /** Sets the listener for the progress of the answer. */
  listen(listener: OutletListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.closed(false);
  }

  /** Sends a whole answer. */
  send({ status = 200, contentType, headers, body }: Answer): void {
    const own = headers === undefined ? '' : headerLines(headers);
    this.#send({ status, lines: `content-type: ${contentType}\r\n${own}`, body }, outcomeOfStatus(status));
  }

  /** Sends an answer that was kept, and says so. */
  replay({ status, lines, body }: KeptAnswer): void {
    this.#send({ status, lines: `${lines}idempotent-replayed: true\r\n`, body }, outcomeOfStatus(status));
  }

  /** Sends the head of a stream. */
  open(lines: string): void {
    this.#status = 200;
    this.#isStream = true;
    this.outlet.open({ status: 200, requestId: this.id, lines: this.#rateLines() + lines });
  }

  /** Sends the last piece of a stream, which may be empty. */
  end(piece: string, outcome: Outcome): void {
    this.#account(outcome);
    this.outlet.end(piece);
    this.settle(outcome);
  }

  /** Sends a failure in the family's shape, or cuts the connection if the head was already sent. */
  fail(error: unknown): void {
    const fault = toFault(error);
    const outcome = isClientGone(error) ? 'gone' : outcomeOfStatus(fault.status);
    // Logged as one line with their number, once a minute.
    this.#hasLogLine = fault.code !== 'too-many-wrong-keys';
    if (outcome !== 'gone') this.noteFailure(fault);
    if (this.outlet.isOpen) this.outlet.destroy();
    else if (outcome !== 'gone' && !this.outlet.isGone) {
      const { status, headers, body } = renderFault(fault, this.#parts.family, {
        requestId: this.id,
        traceId: this.trace?.traceId,
      });
      this.#send({ status, lines: headerLines(headers), body }, outcome);
    }
    this.settle(outcome);
  }

  /** Notes when the first token of an answer came. */
  noteEvents(events: readonly { readonly type: string }[]): void {
    if (this.#firstTokenMs !== undefined || !events.some(({ type }) => type === 'block-delta')) return;
    this.#firstTokenMs = turnNowMs() - this.#parts.entry.startedMs;
  }

  /** Logs the cause of a failure of the gateway or an engine. */
  noteFailure(error: Fault): void {
    this.#errorCode = error.wireCode ?? error.code;
    this.#parts.journal.noteFailure(
      {
        id: this.id,
        caller: this.#serving?.caller,
        family: this.#parts.family,
        traceId: this.trace?.traceId,
      },
      error,
    );
  }

  /** Has the request count as this, whatever the status of its answer: the failure of a tool is answered with 200. */
  countAs(outcome: Outcome): void {
    this.#countedAs = outcome;
  }

  /** Ends the work: records its usage, and releases permit and memory. The outcome is `gone` if the client has left. */
  settle(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#account(outcome);
    this.#permit?.release();
    for (const kept of this.#kept) kept[Symbol.dispose]();
    void this.#recorder?.settled(this.#countedAs ?? outcome);
  }

  /** The answer tells the client that the request is accounted for. */
  ending(): void {
    this.#serving?.meter.secure();
  }

  drained(): void {
    this.#listener?.drained();
  }

  closed(isComplete: boolean): void {
    if (this.#isClosed) return;
    if (!isComplete && this.#recorder?.outlivesClient() === true) {
      this.#listener?.drained();
      return;
    }
    this.#isClosed = true;
    if (!isComplete) {
      this.#leaving?.abort(new ClientGone());
      this.#permit?.release();
    }
    this.#listener?.closed(isComplete);
    const { method, address } = this.incoming;
    const status = isComplete ? this.#status : CLIENT_GONE_STATUS;
    this.#parts.entry.close({
      meter: this.#serving?.meter,
      status,
      errorCode: this.#errorCode,
      firstTokenMs: this.#firstTokenMs,
      streamed: this.#isStream,
      method,
      client: address,
      hasLine: this.#hasLogLine,
      traceId: this.trace?.traceId,
    });
    this.#endTrace(status);
  }

  #endTrace(status: number): void {
    if (this.trace?.isSampled !== true) return;
    const { caller } = this.#serving ?? {};
    this.trace.end(
      {
        'http.request.method': this.incoming.method,
        'http.response.status_code': status,
        'stackgate.request_id': this.id,
        'stackgate.stack': caller?.stack.id,
        'stackgate.key': caller?.key.id,
      },
      status >= 500 ? String(status) : undefined,
    );
  }

  /** Records the usage, before the last byte of the answer. */
  #account(outcome: Outcome): void {
    const { meter } = this.#serving ?? {};
    const counted = this.outlet.isGone ? 'gone' : (this.#countedAs ?? outcome);
    meter?.close(counted, turnNowMs() - this.#parts.entry.startedMs);
  }

  #send({ status, lines, body }: Sent, outcome: Outcome): void {
    this.#status = status;
    const head = { status, requestId: this.id, lines: this.#rateLines() + lines };
    this.#account(outcome);
    this.outlet.send(head, body);
    this.settle(outcome);
  }

  #rateLines(): string {
    return this.#serving?.rateLines?.() ?? '';
  }
}

type Sent = Omit<AnswerHead, 'requestId'> & { readonly body: string | Buffer };
