import type { Caller } from './caller.ts';
import type { Meter, Used } from './meter.ts';
import type { Reservation, TokenBudget } from './token-budget.ts';
import type { EndedRequest, Outcome, UsageRecorder } from './usage-recorder.ts';

export interface Metering {
  readonly budget: TokenBudget;
  readonly usage: UsageRecorder;
}

/** The meter of one request. Also the recorded object, so that a request allocates only one. */
export class RequestMeter implements Meter, EndedRequest {
  readonly caller: Caller;
  endpoint: string;
  model: string | undefined;
  promptTokens = 0;
  completionTokens = 0;
  pages = 0;
  images = 0;
  pdfPages = 0;
  outcome: Outcome = 'ok';
  latencyMs = 0;
  settledDay: string | undefined;
  settledTokens = 0;
  readonly #metering: Metering;
  #reservation: Reservation | undefined;
  #hasReserved = false;
  #isClosed = false;

  constructor(metering: Metering, caller: Caller, endpoint: string) {
    this.#metering = metering;
    this.caller = caller;
    this.endpoint = endpoint;
  }

  reserveTokens(expected: number): void | Promise<void> {
    if (this.#hasReserved) return;
    this.#hasReserved = true;
    const reserved = this.#metering.budget.reserve(this.caller, expected);
    if (reserved instanceof Promise) return reserved.then((reservation) => this.#hold(reservation));
    this.#hold(reserved);
  }

  add({ promptTokens = 0, completionTokens = 0, pages = 0, images = 0, pdfPages = 0 }: Partial<Used>): void {
    this.promptTokens += promptTokens;
    this.completionTokens += completionTokens;
    this.pages += pages;
    this.images += images;
    this.pdfPages += pdfPages;
  }

  /** Names the part of the endpoint that was asked, such as a tool; usage tells parts apart. */
  narrow(part: string): void {
    this.endpoint = `${this.endpoint}#${part}`;
  }

  servedBy(model: string): void {
    this.model = model;
  }

  /** Closes the meter once: settles tokens and records the usage. */
  close(outcome: Outcome, latencyMs: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.outcome = outcome;
    this.latencyMs = latencyMs;
    this.#settle();
    this.#metering.usage.record(this);
  }

  #hold(reservation: Reservation | undefined): void {
    this.#reservation = reservation;
    // The grant arrived after the request had ended.
    if (this.#isClosed) this.#settle();
  }

  #settle(): void {
    const tokens = this.promptTokens + this.completionTokens;
    const reservation = this.#reservation;
    this.#reservation = undefined;
    if (reservation === undefined) return;
    if (tokens === 0) {
      reservation.release();
      return;
    }
    const settled = reservation.settle(tokens);
    this.settledDay = settled.day;
    this.settledTokens = settled.tokens;
  }
}
