import type { ModelPrice, PricesConfig } from '../config/config.ts';

/** Money is counted in millionths of the currency's unit: then the price of a million tokens is that of one in millionths. */
export const MICROS_PER_UNIT = 1_000_000;

/** Tokens and images that are charged. */
export interface Charged {
  readonly promptTokens: number;
  /** Those of the prompt that the model server had in its cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly images: number;
}

/** The prices of models by the names under which usage is counted. Other models cost nothing. */
export class PriceList {
  #prices: ReadonlyMap<string, ModelPrice> = new Map();
  #currency = '';

  constructor(prices?: PricesConfig) {
    this.reconfigure(prices);
  }

  /** Whether no model costs anything. */
  get isEmpty(): boolean {
    return this.#prices.size === 0;
  }

  /** The code of the currency; empty without prices. */
  get currency(): string {
    return this.#currency;
  }

  /** Takes the prices of a newly read configuration. */
  reconfigure(prices: PricesConfig | undefined): void {
    this.#prices = new Map(Object.entries(prices?.models ?? {}));
    this.#currency = prices?.currency ?? '';
  }

  of(model: string): ModelPrice | undefined {
    return this.#prices.get(model);
  }
}

/** The cost of what was used, in millionths. */
export function costMicros(price: ModelPrice, used: Charged): number {
  const { input, output, image, cachedInput = input } = price;
  const cached = Math.min(used.cachedTokens, used.promptTokens);
  const tokens = (used.promptTokens - cached) * input + cached * cachedInput + used.completionTokens * output;
  return tokens + used.images * image * MICROS_PER_UNIT;
}

/** The most that so many tokens can cost, in millionths. */
export function mostMicros({ input, output }: ModelPrice, tokens: number): number {
  return tokens * Math.max(input, output);
}
