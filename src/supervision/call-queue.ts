import type { ChildCall, ChildCallHolder } from './child-call.ts';
import { GATEWAY_STACK, type QueueBounds, RoundRobinQueue, type Ticket } from './round-robin-queue.ts';

/** Calls that no child has received yet, in round robin among stacks, bounded. */
export class CallQueue implements ChildCallHolder {
  readonly #queue: RoundRobinQueue<ChildCall>;
  readonly #tickets = new Map<ChildCall, Ticket<ChildCall>>();

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
    if (call) this.#tickets.delete(call);
    return call;
  }

  refuseAll(error: unknown): void {
    this.#tickets.clear();
    for (const call of this.#queue.clear()) call.settle({ error });
  }

  cancel(call: ChildCall): void {
    const ticket = this.#tickets.get(call);
    if (ticket) this.#queue.remove(ticket);
    this.#tickets.delete(call);
  }

  credit(): void {}
}
