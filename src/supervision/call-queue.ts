import type { TraceSpan } from '../telemetry/request-trace.ts';
import type { ChildCall, ChildCallHolder } from './child-call.ts';
import { GATEWAY_STACK, type QueueBounds, RoundRobinQueue, type Ticket } from './round-robin-queue.ts';

/** Calls that no child has received yet, in round robin among stacks, bounded. */
export class CallQueue implements ChildCallHolder {
  readonly #queue: RoundRobinQueue<ChildCall>;
  readonly #tickets = new Map<ChildCall, Ticket<ChildCall>>();
  /** The waits of calls that are traced. */
  readonly #waits = new Map<ChildCall, TraceSpan>();

  constructor(bounds: QueueBounds) {
    this.#queue = new RoundRobinQueue(bounds);
  }

  get length(): number {
    return this.#queue.length;
  }

  add(call: ChildCall): void {
    this.#tickets.set(call, this.#queue.add(call.options.stackId ?? GATEWAY_STACK, call));
    call.heldBy(this);
  }

  next(): ChildCall | undefined {
    const call = this.#queue.next()?.item;
    if (call) this.#forget(call);
    return call;
  }

  /** Begins the span of a call's wait; none if a child has it already. */
  traceWait(call: ChildCall): void {
    const { span } = call.options;
    if (span !== undefined && this.#tickets.has(call)) this.#waits.set(call, span.start('queue', 'internal'));
  }

  refuseAll(error: unknown): void {
    for (const call of this.#queue.clear()) {
      this.#forget(call);
      call.settle({ error });
    }
  }

  cancel(call: ChildCall): void {
    const ticket = this.#tickets.get(call);
    if (ticket) this.#queue.remove(ticket);
    this.#forget(call);
  }

  credit(): void {}

  #forget(call: ChildCall): void {
    this.#tickets.delete(call);
    this.#waits.get(call)?.end();
    this.#waits.delete(call);
  }
}
