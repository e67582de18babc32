import type { RequestTrace } from '../telemetry/request-trace.ts';

/** Quantities a request can use. */
export interface Used {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Pages read for extraction. */
  readonly pages: number;
  readonly images: number;
  readonly pdfPages: number;
}

/** Quantities that a part of a request used. */
export interface Consumption extends Partial<Used> {
  /** The prompt's tokens that the model server had in its cache, where it tells. */
  readonly cachedTokens?: number;
}

/**
 * Records what one request uses. Workers report while they work; the server closes it when the request ends in any way, which
 * records the usage and settles the tokens.
 */
export interface Meter {
  /** The request's trace; absent if requests are not traced. */
  readonly trace?: RequestTrace | undefined;
  /**
   * Reserves tokens of the stack's budget before calling an engine; throws `token-budget-exceeded` or
   * `budget-exceeded`. Only the first call of a request reserves, or the next one if that was refused; the price is that of
   * the first model that has one.
   */
  reserveTokens(expected: number): void | Promise<void>;
  /** Reserves the price of images before an engine paints them; throws `budget-exceeded`. */
  reserveImages(count: number): void | Promise<void>;
  add(used: Consumption): void;
  /** Sets the model that served the request, by its public name. */
  servedBy(model: string): void;
}

/** Work for a metered request that may be aborted. */
export interface MeteredWork {
  readonly meter: Meter;
  readonly signal: AbortSignal;
}
