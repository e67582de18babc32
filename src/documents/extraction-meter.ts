import type { Meter, Used } from '../access/meter.ts';

/** What an extraction cost, in tokens. */
export interface ExtractionUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** The meter of one extraction: the answer tells what the request is charged, since both are summed here. */
export class ExtractionMeter implements Meter {
  readonly #request: Meter;
  #usage: ExtractionUsage = { promptTokens: 0, completionTokens: 0 };

  constructor(request: Meter) {
    this.#request = request;
  }

  get usage(): ExtractionUsage {
    return this.#usage;
  }

  reserveTokens(expected: number): void | Promise<void> {
    return this.#request.reserveTokens(expected);
  }

  add(used: Partial<Used>): void {
    this.#usage = summed(this.#usage, used);
    this.#request.add(used);
  }

  servedBy(model: string): void {
    this.#request.servedBy(model);
  }
}

/** The meter of one call of a model. Disposing charges the call, unless it was found to be part of what is charged anyway. */
export class CallMeter implements Meter, Disposable {
  readonly #extraction: Meter;
  #usage: ExtractionUsage = { promptTokens: 0, completionTokens: 0 };
  #isCharged = true;

  constructor(extraction: Meter) {
    this.#extraction = extraction;
  }

  reserveTokens(expected: number): void | Promise<void> {
    return this.#extraction.reserveTokens(expected);
  }

  add(used: Partial<Used>): void {
    this.#usage = summed(this.#usage, used);
  }

  servedBy(model: string): void {
    this.#extraction.servedBy(model);
  }

  /** Leaves the call uncharged. */
  waive(): void {
    this.#isCharged = false;
  }

  [Symbol.dispose](): void {
    if (this.#isCharged) this.#extraction.add(this.#usage);
  }
}

function summed(
  sum: ExtractionUsage,
  { promptTokens = 0, completionTokens = 0 }: Partial<Used>,
): ExtractionUsage {
  return {
    promptTokens: sum.promptTokens + promptTokens,
    completionTokens: sum.completionTokens + completionTokens,
  };
}
