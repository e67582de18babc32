import { Chain, type Link } from './chain.ts';
import { TooManyWaiting } from './child-lost.ts';

/** Whose work it is that is no stack's: what the gateway does for itself takes its turn like one more stack. */
export const GATEWAY_STACK = '(gateway)';

/** How much may wait. */
export interface QueueBounds {
  /** In all. */
  readonly maxWaiting: number;
  /** Of one stack; absent: one stack may fill the line. */
  readonly maxWaitingPerStack?: number | undefined;
  /** What is thrown where there is no room. */
  readonly refusal?: ((message: string) => Error) | undefined;
}

/** The part of a line that is one stack's. */
interface StackItems<Item> {
  readonly stackId: string;
  readonly items: Chain<Ticket<Item>>;
  /** Its place among those whose turn comes; absent while it is held back. */
  turn: Link<StackItems<Item>> | undefined;
}

/** Something that waits, and where in the line it is. */
export interface Ticket<Item> {
  readonly item: Item;
  readonly stack: StackItems<Item>;
  /** Absent once it is out of the line. */
  link: Link<Ticket<Item>> | undefined;
}

/**
 * What waits, in turns: each stack that has something in the line is served once before any is served again, and within a
 * stack it is first come, first served. So while something waits with n others of its own stack before it, every other
 * stack is served at most n + 1 times. Every step costs the same however long the line is.
 */
export class RoundRobinQueue<Item> {
  readonly #bounds: QueueBounds;
  readonly #stacks = new Map<string, StackItems<Item>>();
  readonly #turns = new Chain<StackItems<Item>>();
  #length = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  /** How much waits. */
  get length(): number {
    return this.#length;
  }

  /** How many stacks have something that waits. */
  get stacks(): number {
    return this.#stacks.size;
  }

  /** How much of one stack waits. */
  lengthOf(stackId: string): number {
    return this.#stacks.get(stackId)?.items.length ?? 0;
  }

  /** Adds something at the end of its stack's part; a stack that is new to the line has its turn after all others. */
  add(stackId: string, item: Item, { isHeld = false } = {}): Ticket<Item> {
    this.#refuseOverBounds(stackId);
    const stack = this.#stacks.get(stackId) ?? this.#open(stackId, isHeld);
    const ticket: Ticket<Item> = { item, stack, link: undefined };
    ticket.link = stack.items.push(ticket);
    this.#length += 1;
    return ticket;
  }

  /** Takes out what is next in turn; undefined where nothing waits but of stacks that are held back. */
  next(): Ticket<Item> | undefined {
    const stack = this.#turns.first?.value;
    return stack && this.#takeFrom(stack);
  }

  /** Takes out what is next of the only stack that waits, held back or not. */
  nextOfLone(): Ticket<Item> | undefined {
    if (this.#stacks.size !== 1) return undefined;
    const [stack] = this.#stacks.values();
    return stack && this.#takeFrom(stack);
  }

  /** The only stack that waits; undefined where there are none or several. */
  get lone(): string | undefined {
    if (this.#stacks.size !== 1) return undefined;
    const [stackId] = this.#stacks.keys();
    return stackId;
  }

  /** Takes something out of the line; false where it is not in it any more. */
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

  /** Holds a stack back: its turn does not come until it is let go. */
  hold(stackId: string): void {
    const stack = this.#stacks.get(stackId);
    if (stack?.turn === undefined) return;
    this.#turns.remove(stack.turn);
    stack.turn = undefined;
  }

  /** The stack's turn comes again, after all others. */
  letGo(stackId: string): void {
    const stack = this.#stacks.get(stackId);
    if (stack && stack.turn === undefined) stack.turn = this.#turns.push(stack);
  }

  /** Takes out everything, in no order that matters. */
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
