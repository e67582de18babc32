import { type QueueBounds, RoundRobinQueue, type Ticket } from '../supervision/round-robin-queue.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** Calls waiting for a connection, in round robin among stacks, bounded. */
export class UpstreamQueue {
  readonly #queue: RoundRobinQueue<UpstreamCall>;
  readonly #tickets = new Map<UpstreamCall, Ticket<UpstreamCall>>();

  constructor(bounds: QueueBounds) {
    this.#queue = new RoundRobinQueue(bounds);
  }

  get length(): number {
    return this.#queue.length;
  }

  /** `isHeld`: its stack has all the connections it may have. Throws if too many wait. */
  add(call: UpstreamCall, stackId: string, { isHeld }: { readonly isHeld: boolean }): void {
    this.#tickets.set(call, this.#queue.add(stackId, call, { isHeld }));
  }

  /** Undefined if nothing waits, or only stacks held back. */
  next(): UpstreamCall | undefined {
    const call = this.#queue.next()?.item;
    if (call !== undefined) this.#tickets.delete(call);
    return call;
  }

  /** Takes the stack out of the rotation until it is let go. */
  hold(stackId: string): void {
    this.#queue.hold(stackId);
  }

  letGo(stackId: string): void {
    this.#queue.letGo(stackId);
  }

  remove(call: UpstreamCall): void {
    const ticket = this.#tickets.get(call);
    if (ticket !== undefined) this.#queue.remove(ticket);
    this.#tickets.delete(call);
  }

  /** Removes and returns calls past their deadline. */
  takeLate(nowMs: number): readonly UpstreamCall[] {
    if (this.length === 0) return [];
    const late = [...this.#tickets.keys()].filter(({ deadlineMs }) => nowMs >= deadlineMs);
    for (const call of late) this.remove(call);
    return late;
  }
}
