import { TooManyWaiting } from './child-lost.ts';
import type { Exchange, ExchangeHolder } from './exchange.ts';

/** The requests no child has seen yet, oldest first, up to a bound. */
export class WaitingLine implements ExchangeHolder {
  readonly #max: number;
  #exchanges: Exchange[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.#exchanges.length;
  }

  add(exchange: Exchange): void {
    if (this.#exchanges.length >= this.#max) {
      throw new TooManyWaiting(`${this.#max} requests are waiting already`);
    }
    exchange.heldBy(this);
    this.#exchanges.push(exchange);
  }

  next(): Exchange | undefined {
    return this.#exchanges.shift();
  }

  refuseAll(error: unknown): void {
    for (const exchange of this.#exchanges.splice(0)) exchange.settle({ error });
  }

  cancel(exchange: Exchange): void {
    this.#exchanges = this.#exchanges.filter((other) => other !== exchange);
  }

  credit(): void {}
}
