import { FairLine, GATEWAY_STACK, type LineBounds, type Ticket } from '../supervision/fair-line.ts';
import type { UpstreamExchange } from './upstream-exchange.ts';

/** The exchanges that wait for a connection, in turns among their stacks, up to a bound. */
export class ExchangeLine {
  readonly #line: FairLine<UpstreamExchange>;
  readonly #tickets = new Map<UpstreamExchange, Ticket<UpstreamExchange>>();
  /** They had a connection already, which turned out to be closed. */
  readonly #repeated = new Set<UpstreamExchange>();

  constructor(bounds: LineBounds) {
    this.#line = new FairLine(bounds);
  }

  get length(): number {
    return this.#line.length + this.#repeated.size;
  }

  /** Throws where too many wait. */
  add(exchange: UpstreamExchange): void {
    const { stackId = GATEWAY_STACK } = exchange.request;
    this.#tickets.set(exchange, this.#line.add(stackId, exchange));
  }

  /** Before all others. */
  addFirst(exchange: UpstreamExchange): void {
    this.#repeated.add(exchange);
  }

  next(): UpstreamExchange | undefined {
    if (this.length === 0) return undefined;
    const [repeated] = this.#repeated;
    const exchange = repeated ?? this.#line.next()?.item;
    if (exchange !== undefined) this.remove(exchange);
    return exchange;
  }

  remove(exchange: UpstreamExchange): void {
    this.#repeated.delete(exchange);
    const ticket = this.#tickets.get(exchange);
    if (ticket !== undefined) this.#line.remove(ticket);
    this.#tickets.delete(exchange);
  }

  /** Takes out those that have waited for too long. */
  takeLate(nowMs: number): readonly UpstreamExchange[] {
    if (this.length === 0) return [];
    const late = [...this.#repeated, ...this.#tickets.keys()].filter(({ deadlineMs }) => nowMs >= deadlineMs);
    for (const exchange of late) this.remove(exchange);
    return late;
  }
}
