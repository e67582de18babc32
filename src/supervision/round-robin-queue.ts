import { Chain, type Link } from './chain.ts';
import { TooManyWaiting } from './child-lost.ts';

/** The pseudo stack of the gateway's own work, which takes turns like any other. */
export const GATEWAY_STACK = '(gateway)';

export interface QueueBounds {
  /** In total. */
  readonly maxWaiting: number;
  /** Per stack; absent: one stack may fill the queue. */
  readonly maxWaitingPerStack?: number | undefined;
  /** Makes the error thrown when the queue is full. */
  readonly refusal?: ((message: string) => Error) | undefined;
}

/** The items of one stack. */
interface StackItems<Item> {
  readonly stackId: string;
  readonly items: Chain<Ticket<Item>>;
  /** Its node in the rotation; absent while it is held back. */
  turn: Link<StackItems<Item>> | undefined;
}

/** A queued item, for removing it. */
export interface Ticket<Item> {
  readonly item: Item;
  readonly stack: StackItems<Item>;
  /** Absent once it left the queue. */
  link: Link<Ticket<Item>> | undefined;
}

/**
 * A queue in which stacks take turns: each stack with items is served once before any is served again, and within a stack it is
 * first in, first out. So while an item waits behind n others of its own stack, every other stack is served at most n + 1 times.
 * All operations take constant time.
 */
export class RoundRobinQueue<Item> {
  readonly #bounds: QueueBounds;
  readonly #stacks = new Map<string, StackItems<Item>>();
  readonly #turns = new Chain<StackItems<Item>>();
  #length = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#length;
  }

  /** Number of stacks with items. */
  get stacks(): number {
    return this.#stacks.size;
  }

  lengthOf(stackId: string): number {
    return this.#stacks.get(stackId)?.items.length ?? 0;
  }

  /** Appends an item to its stack; a new stack comes last in the rotation. */
  add(stackId: string, item: Item, { isHeld = false } = {}): Ticket<Item> {
    this.#refuseOverBounds(stackId);
    const stack = this.#stacks.get(stackId) ?? this.#open(stackId, isHeld);
    const ticket: Ticket<Item> = { item, stack, link: undefined };
    ticket.link = stack.items.push(ticket);
    this.#length += 1;
    return ticket;
  }

  /** Removes and returns the next item; undefined if there is none, or only of stacks held back. */
  next(): Ticket<Item> | undefined {
    const stack = this.#turns.first?.value;
    return stack && this.#takeFrom(stack);
  }

  /** Removes and returns the next item of the only stack, held back or not. */
  nextOfLone(): Ticket<Item> | undefined {
    if (this.#stacks.size !== 1) return undefined;
    const [stack] = this.#stacks.values();
    return stack && this.#takeFrom(stack);
  }

  /** The only stack with items; undefined if there are none or several. */
  get lone(): string | undefined {
    if (this.#stacks.size !== 1) return undefined;
    const [stackId] = this.#stacks.keys();
    return stackId;
  }

  /** Removes an item; false if it already left the queue. */
  remove(ticket: Ticket<Item>): boolean {
    const { stack, link } = ticket;
    if (link === undefined) return false;
    ticket.link = undefined;
    stack.items.remove(link);
    this.#length -= 1;
    if (stack.items.length > 0) return true;
    if (stack.turn !== undefined) this.#turns.remove(stack.turn);
    stack.turn = undefined;
    this.#stacks.delete(stack.stackId);
    return true;
  }

  /** Takes a stack out of the rotation until it is let go. */
  hold(stackId: string): void {
    const stack = this.#stacks.get(stackId);
    if (stack?.turn === undefined) return;
    this.#turns.remove(stack.turn);
    stack.turn = undefined;
  }

  /** Puts the stack back at the end of the rotation. */
  letGo(stackId: string): void {
    const stack = this.#stacks.get(stackId);
    if (stack && stack.turn === undefined) stack.turn = this.#turns.push(stack);
  }

  /** Removes and returns everything, unordered. */
  clear(): readonly Item[] {
    const items: Item[] = [];
    for (const stack of [...this.#stacks.values()]) {
      for (let ticket = stack.items.first?.value; ticket; ticket = stack.items.first?.value) {
        items.push(ticket.item);
        this.remove(ticket);
      }
    }
    return items;
  }

  #refuseOverBounds(stackId: string): void {
    const { maxWaiting, maxWaitingPerStack = maxWaiting, refusal = tooManyWaiting } = this.#bounds;
    if (this.#length >= maxWaiting) throw refusal(`${maxWaiting} requests are waiting already`);
    if (this.lengthOf(stackId) >= maxWaitingPerStack) {
      throw refusal(`${maxWaitingPerStack} requests of the same stack are waiting already`);
    }
  }

  #open(stackId: string, isHeld: boolean): StackItems<Item> {
    const stack: StackItems<Item> = { stackId, items: new Chain(), turn: undefined };
    if (!isHeld) stack.turn = this.#turns.push(stack);
    this.#stacks.set(stackId, stack);
    return stack;
  }

  #takeFrom(stack: StackItems<Item>): Ticket<Item> | undefined {
    const ticket = stack.items.first?.value;
    if (ticket === undefined) return undefined;
    if (stack.turn !== undefined) {
      this.#turns.remove(stack.turn);
      stack.turn = this.#turns.push(stack);
    }
    this.remove(ticket);
    return ticket;
  }
}

function tooManyWaiting(message: string): Error {
  return new TooManyWaiting(message);
}
