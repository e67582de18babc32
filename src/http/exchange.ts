import type { Permit } from '../access/admission.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestMeter } from '../access/request-meter.ts';
import type { Outcome } from '../access/usage-recorder.ts';
import type { Family } from '../families/family.ts';
import { renderFault } from '../families/rendered-fault.ts';
import { toFault } from '../faults/fault.ts';
import { turnNowMs } from '../lib/clock.ts';
import { headerLines } from '../lib/header-lines.ts';
import type { Answer } from './answer.ts';
import { ClientGone, isClientGone } from './client-gone.ts';
import type { Incoming } from './incoming.ts';
import type { Outlet, OutletListener } from './outlet.ts';
import { CLIENT_GONE_STATUS, type JournalEntry, type RequestJournal } from './request-journal.ts';

export interface ExchangeParts {
  readonly incoming: Incoming;
  readonly outlet: Outlet;
  readonly family: Family;
  readonly entry: JournalEntry;
  readonly journal: RequestJournal;
}

/** What a known caller is served with. */
export interface Serving {
  readonly caller: Caller;
  readonly meter: RequestMeter;
  /** How the caller stands with its rates, as headers; absent where it has none. */
  readonly rateLines: (() => string) | undefined;
}

/** One request and its answer, wherever bytes come from and go to. What it holds is given back when it is settled. */
export class Exchange implements OutletListener {
  readonly id: string;
  readonly incoming: Incoming;
  readonly outlet: Outlet;
  readonly #parts: ExchangeParts;
  #serving: Serving | undefined;
  #permit: Permit | undefined;
  #kept: Disposable | undefined;
  #listener: OutletListener | undefined;
  #leaving: AbortController | undefined;
  #status = CLIENT_GONE_STATUS;
  #hasLogLine = true;
  #isSettled = false;
  #isClosed = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.id = parts.entry.id;
    this.incoming = parts.incoming;
    this.outlet = parts.outlet;
    parts.outlet.listen(this);
  }

  /** Aborts when the client goes away before its answer is complete. Made when it is asked for: it costs a tenth of a small request. */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      this.#leaving = new AbortController();
      if (this.outlet.isGone) this.#leaving.abort(new ClientGone());
    }
    return this.#leaving.signal;
  }

  /** The caller is known. */
  serve(serving: Serving): void {
    this.#serving = serving;
  }

  /** Takes a permit over; throws where the client left before it was had. */
  hold(permit: Permit): void {
    this.#permit = permit;
    if (!this.#isClosed) return;
    permit.release();
    throw new ClientGone();
  }

  /** Keeps something until the request is over. */
  keep(kept: Disposable): void {
    this.#kept = kept;
  }

  /** Names one more who hears what becomes of the answer. */
  listen(listener: OutletListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.closed(false);
  }

  /** Sends a whole answer. */
  send({ status = 200, contentType, headers, body }: Answer): void {
    this.#send(
      status,
      `content-type: ${contentType}\r\n${headers === undefined ? '' : headerLines(headers)}`,
      body,
    );
    this.settle(outcomeOfStatus(status));
  }

  /** Sends the head of a stream. */
  open(lines: string): void {
    this.#status = 200;
    this.outlet.open({ status: 200, requestId: this.id, lines: this.#rateLines() + lines });
  }

  /** Sends a failure in the family's shape. After the head is out there is only one honest thing left: to cut the connection. */
  fail(error: unknown): void {
    const fault = toFault(error);
    const outcome = isClientGone(error) ? 'gone' : outcomeOfStatus(fault.status);
    // A line tells how many there were, when the minute is over.
    this.#hasLogLine = fault.code !== 'too-many-wrong-keys';
    if (outcome !== 'gone') this.noteFailure(error);
    if (this.outlet.isOpen) this.outlet.destroy();
    else if (outcome !== 'gone' && !this.outlet.isGone) {
      const { status, headers, body } = renderFault(fault, this.#parts.family, this.id);
      this.#send(status, headerLines(headers), body);
    }
    this.settle(outcome);
  }

  /** Logs why the answer failed, where it is the gateway's or an engine's doing. */
  noteFailure(error: unknown): void {
    this.#parts.journal.noteFailure({ id: this.id, caller: this.#serving?.caller }, error);
  }

  /** The work is done: its use is recorded, and what it held is given back. A client that left in time makes it `gone`. */
  settle(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { meter } = this.#serving ?? {};
    meter?.close(this.outlet.isGone ? 'gone' : outcome, turnNowMs() - this.#parts.entry.startedMs);
    this.#permit?.release();
    this.#kept?.[Symbol.dispose]();
  }

  drained(): void {
    this.#listener?.drained();
  }

  closed(isComplete: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!isComplete) {
      this.#leaving?.abort(new ClientGone());
      this.#permit?.release();
    }
    this.#listener?.closed(isComplete);
    const { method, address } = this.incoming;
    const status = isComplete ? this.#status : CLIENT_GONE_STATUS;
    const { caller } = this.#serving ?? {};
    this.#parts.entry.close({ status, method, client: address, caller, hasLine: this.#hasLogLine });
  }

  #send(status: number, lines: string, body: string | Buffer): void {
    this.#status = status;
    this.outlet.send({ status, requestId: this.id, lines: this.#rateLines() + lines }, body);
  }

  #rateLines(): string {
    return this.#serving?.rateLines?.() ?? '';
  }
}

/** What a status that was sent means for the usage. */
export function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'ok';
  if (status === 429) return 'limit';
  return status < 500 ? 'client' : 'server';
}
