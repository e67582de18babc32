import type { Exchange, ExchangeHolder } from './exchange.ts';
import { FairLine, GATEWAY_STACK, type LineBounds, type Ticket } from './fair-line.ts';

/** The requests no child has seen yet, in turns among their stacks, up to a bound. */
export class WaitingLine implements ExchangeHolder {
  readonly #line: FairLine<Exchange>;
  readonly #tickets = new Map<Exchange, Ticket<Exchange>>();

  constructor(bounds: LineBounds) {
    this.#line = new FairLine(bounds);
  }

  get length(): number {
    return this.#line.length;
  }

  add(exchange: Exchange): void {
    this.#tickets.set(exchange, this.#line.add(exchange.options.stackId ?? GATEWAY_STACK, exchange));
    exchange.heldBy(this);
  }

  next(): Exchange | undefined {
    const exchange = this.#line.next()?.item;
    if (exchange) this.#tickets.delete(exchange);
    return exchange;
  }

  refuseAll(error: unknown): void {
    this.#tickets.clear();
    for (const exchange of this.#line.clear()) exchange.settle({ error });
  }

  cancel(exchange: Exchange): void {
    const ticket = this.#tickets.get(exchange);
    if (ticket) this.#line.remove(ticket);
    this.#tickets.delete(exchange);
  }

  credit(): void {}
}
