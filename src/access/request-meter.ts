import type { ModelPrice } from '../config/config.ts';
import { andThen } from '../lib/and-then.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Caller } from './caller.ts';
import type { Consumption, Meter } from './meter.ts';
import type { HeldMoney, MoneyBudget, SettledMoney } from './money-budget.ts';
import { costMicros, MICROS_PER_UNIT, mostMicros, type PriceList } from './price-list.ts';
import type { Reservation, TokenBudget } from './token-budget.ts';
import type { EndedRequest, Outcome, UsageRecorder } from './usage-recorder.ts';

export interface Metering {
  readonly budget: TokenBudget;
  readonly usage: UsageRecorder;
  /** Absent: nothing costs anything. */
  readonly prices?: PriceList;
  readonly money?: MoneyBudget;
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
  costMicros = 0;
  trace: RequestTrace | undefined;
  outcome: Outcome = 'ok';
  latencyMs = 0;
  settledDay: string | undefined;
  settledTokens = 0;
  settledMoney: readonly SettledMoney[] | undefined;
  readonly #metering: Metering;
  #reservation: Reservation | undefined;
  #heldMoney: HeldMoney[] | undefined;
  #price: ModelPrice | undefined;
  #reserving: Promise<void> | undefined;
  #hasTokens = false;
  #hasTokenMoney = false;
  #isClosed = false;

  constructor(metering: Metering, caller: Caller, endpoint: string) {
    this.#metering = metering;
    this.caller = caller;
    this.endpoint = endpoint;
  }

  reserveTokens(expected: number): void | Promise<void> {
    // Parts that ask at the same time are refused or served together.
    if (this.#reserving !== undefined) return this.#reserving.then(() => this.reserveTokens(expected));
    const held = this.#holdTokens(expected);
    const paid = this.caller.budgets === undefined ? held : andThen(held, () => this.#holdPrice(expected));
    if (paid === undefined) return;
    this.#reserving = paid.finally(() => {
      this.#reserving = undefined;
    });
    return this.#reserving;
  }

  reserveImages(count: number): void | Promise<void> {
    if (this.caller.budgets === undefined) return;
    return this.#reserveMoney(this.#price && count * this.#price.image * MICROS_PER_UNIT);
  }

  add(used: Consumption): void {
    const { promptTokens = 0, completionTokens = 0, pages = 0, images = 0, pdfPages = 0 } = used;
    this.promptTokens += promptTokens;
    this.completionTokens += completionTokens;
    this.pages += pages;
    this.images += images;
    this.pdfPages += pdfPages;
    if (this.#price === undefined) return;
    const { cachedTokens = 0 } = used;
    this.costMicros += costMicros(this.#price, { promptTokens, cachedTokens, completionTokens, images });
  }

  /** Names the part of the endpoint that was asked, such as a tool; usage tells parts apart. */
  narrow(part: string): void {
    this.endpoint = `${this.endpoint}#${part}`;
  }

  servedBy(model: string): void {
    this.model = model;
    this.#price = this.#metering.prices?.of(model);
  }

  /** Closes the meter once: settles tokens and records the usage. */
  close(outcome: Outcome, latencyMs: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.outcome = outcome;
    this.latencyMs = latencyMs;
    this.#settle();
    if (this.#heldMoney !== undefined) this.#settleMoney();
    this.#metering.usage.record(this);
  }

  /** Has what was recorded survive the end of the process. */
  secure(): void {
    this.#metering.usage.secure?.();
  }

  #holdTokens(expected: number): void | Promise<void> {
    if (this.#hasTokens) return;
    return andThen(this.#metering.budget.reserve(this.caller, expected), (reservation) =>
      this.#hold(reservation),
    );
  }

  #hold(reservation: Reservation | undefined): void {
    this.#hasTokens = true;
    this.#reservation = reservation;
    // The grant arrived after the request had ended.
    if (this.#isClosed) this.#settle();
  }

  /** Once for a request, by the first of its models that has a price. */
  #holdPrice(expectedTokens: number): void | Promise<void> {
    const micros = this.#price === undefined ? 0 : mostMicros(this.#price, expectedTokens);
    if (this.#hasTokenMoney || micros === 0) return;
    return andThen(this.#reserveMoney(micros), () => {
      this.#hasTokenMoney = true;
    });
  }

  /** Free work needs no money, and goes on when the budget is spent. */
  #reserveMoney(expectedMicros: number | undefined): void | Promise<void> {
    if (expectedMicros === undefined || expectedMicros === 0) return;
    return andThen(this.#metering.money?.reserve(this.caller, expectedMicros), (reservation) => {
      if (reservation !== undefined) this.#heldMoney = [...(this.#heldMoney ?? []), reservation];
      if (this.#isClosed) this.#settleMoney();
    });
  }

  /** One reservation pays for everything that the request used. */
  #settleMoney(): void {
    const [first, ...others] = this.#heldMoney ?? [];
    this.#heldMoney = undefined;
    if (this.costMicros > 0) this.settledMoney = first?.settle(this.costMicros);
    else first?.release();
    for (const other of others) other.release();
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
