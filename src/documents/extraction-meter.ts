import type { Consumption, Meter } from '../access/meter.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';

/** Tokens of an extraction. */
export interface ExtractionUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Sums the tokens of one extraction, so that the response reports what the request is charged. */
export class ExtractionMeter implements Meter {
  readonly #request: Meter;
  #usage: ExtractionUsage = { promptTokens: 0, completionTokens: 0 };

  constructor(request: Meter) {
    this.#request = request;
  }

  get usage(): ExtractionUsage {
    return this.#usage;
  }

  get trace(): RequestTrace | undefined {
    return this.#request.trace;
  }

  reserveTokens(expected: number): void | Promise<void> {
    return this.#request.reserveTokens(expected);
  }

  reserveImages(count: number): void | Promise<void> {
    return this.#request.reserveImages(count);
  }

  add(used: Consumption): void {
    this.#usage = summed(this.#usage, used);
    this.#request.add(used);
  }

  servedBy(model: string): void {
    this.#request.servedBy(model);
  }
}

/** Meters one model call. Disposing charges it, unless it was waived. */
export class CallMeter implements Meter, Disposable {
  readonly #extraction: Meter;
  #used = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  #isCharged = true;

  constructor(extraction: Meter) {
    this.#extraction = extraction;
  }

  get trace(): RequestTrace | undefined {
    return this.#extraction.trace;
  }

  reserveTokens(expected: number): void | Promise<void> {
    return this.#extraction.reserveTokens(expected);
  }

  reserveImages(count: number): void | Promise<void> {
    return this.#extraction.reserveImages(count);
  }

  add(used: Consumption): void {
    const cachedTokens = this.#used.cachedTokens + (used.cachedTokens ?? 0);
    this.#used = { ...summed(this.#used, used), cachedTokens };
  }

  servedBy(model: string): void {
    this.#extraction.servedBy(model);
  }

  /** Leaves this call uncharged. */
  waive(): void {
    this.#isCharged = false;
  }

  [Symbol.dispose](): void {
    if (this.#isCharged) this.#extraction.add(this.#used);
  }
}

function summed(
  sum: ExtractionUsage,
  { promptTokens = 0, completionTokens = 0 }: Consumption,
): ExtractionUsage {
  return {
    promptTokens: sum.promptTokens + promptTokens,
    completionTokens: sum.completionTokens + completionTokens,
  };
}
