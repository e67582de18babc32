import { Fault } from '../faults/fault.ts';

/**
 * Slots for documents being printed. A stack without a free slot is refused at once; nothing waits here. With more than one slot no
 * stack takes them all, and while several stacks print, none takes more than its share.
 */
export class PrintSlots {
  readonly #count: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a slot until it is disposed; throws if none is free for this stack. */
  take(stackId: string): Disposable {
    const own = this.#takenBy.get(stackId) ?? 0;
    if (this.#taken >= this.#count) throw noneLeft(this.#count);
    const most = this.#mostFor(stackId);
    if (own >= most) throw noneLeftForStack(most, this.#count);
    this.#taken += 1;
    this.#takenBy.set(stackId, own + 1);
    return { [Symbol.dispose]: () => this.#release(stackId) };
  }

  #mostFor(stackId: string): number {
    const stacks = this.#takenBy.size + (this.#takenBy.has(stackId) ? 0 : 1);
    return stacks === 1 ? Math.max(1, this.#count - 1) : Math.ceil(this.#count / stacks);
  }

  #release(stackId: string): void {
    this.#taken -= 1;
    const left = (this.#takenBy.get(stackId) ?? 0) - 1;
    if (left > 0) this.#takenBy.set(stackId, left);
    else this.#takenBy.delete(stackId);
  }
}

function noneLeft(count: number): Fault {
  return new Fault(
    'pdf-in-flight',
    `All print slots are in use; this server has ${count} (engines.pdf.max_in_flight). Retry shortly.`,
  );
}

function noneLeftForStack(most: number, count: number): Fault {
  return new Fault(
    'pdf-in-flight',
    `The stack has taken ${most} of this server's ${count} print slots (engines.pdf.max_in_flight); the rest is for others. Retry shortly.`,
  );
}
