import { FairLine, type LineBounds, type Ticket } from '../supervision/fair-line.ts';
import type { UpstreamExchange } from './upstream-exchange.ts';

/** The exchanges that wait for a connection, in turns among their stacks, up to a bound. */
export class ExchangeLine {
  readonly #line: FairLine<UpstreamExchange>;
  readonly #tickets = new Map<UpstreamExchange, Ticket<UpstreamExchange>>();

  constructor(bounds: LineBounds) {
    this.#line = new FairLine(bounds);
  }

  get length(): number {
    return this.#line.length;
  }

  /** `isHeld`: its stack has all the connections it may have. Throws where too many wait. */
  add(exchange: UpstreamExchange, stackId: string, { isHeld }: { readonly isHeld: boolean }): void {
    this.#tickets.set(exchange, this.#line.add(stackId, exchange, { isHeld }));
  }

  /** Undefined where nothing waits but of stacks that are held back. */
  next(): UpstreamExchange | undefined {
    const exchange = this.#line.next()?.item;
    if (exchange !== undefined) this.#tickets.delete(exchange);
    return exchange;
  }

  /** The stack's turn does not come until it is let go. */
  hold(stackId: string): void {
    this.#line.hold(stackId);
  }

  letGo(stackId: string): void {
    this.#line.letGo(stackId);
  }

  remove(exchange: UpstreamExchange): void {
    const ticket = this.#tickets.get(exchange);
    if (ticket !== undefined) this.#line.remove(ticket);
    this.#tickets.delete(exchange);
  }

  /** Takes out those that have waited for too long. */
  takeLate(nowMs: number): readonly UpstreamExchange[] {
    if (this.length === 0) return [];
    const late = [...this.#tickets.keys()].filter(({ deadlineMs }) => nowMs >= deadlineMs);
    for (const exchange of late) this.remove(exchange);
    return late;
  }
}
