import { Fault } from '../faults/fault.ts';

/**
 * The places for documents that are being printed. Nobody waits for one. While there are several no stack has all of them, and while
 * several stacks print, none takes more than its share.
 */
export class PrintPlaces {
  readonly #count: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place, which disposing gives back; throws where none is left for this stack. */
  take(stackId: string): Disposable {
    const own = this.#takenBy.get(stackId) ?? 0;
    if (this.#taken >= this.#count) throw noneLeft(this.#count);
    const most = this.#mostFor(stackId);
    if (own >= most) throw noneLeftForStack(most, this.#count);
    this.#taken += 1;
    this.#takenBy.set(stackId, own + 1);
    return { [Symbol.dispose]: () => this.#giveBack(stackId) };
  }

  #mostFor(stackId: string): number {
    const stacks = this.#takenBy.size + (this.#takenBy.has(stackId) ? 0 : 1);
    return stacks === 1 ? Math.max(1, this.#count - 1) : Math.ceil(this.#count / stacks);
  }

  #giveBack(stackId: string): void {
    this.#taken -= 1;
    const left = (this.#takenBy.get(stackId) ?? 0) - 1;
    if (left > 0) this.#takenBy.set(stackId, left);
    else this.#takenBy.delete(stackId);
  }
}

function noneLeft(count: number): Fault {
  return new Fault(
    'pdf-in-flight',
    `Every place for printing is taken; this server has ${count} (engines.pdf.max_in_flight). Retry shortly.`,
  );
}

function noneLeftForStack(most: number, count: number): Fault {
  return new Fault(
    'pdf-in-flight',
    `The stack has taken ${most} of this server's ${count} places for printing (engines.pdf.max_in_flight); the rest is for others. Retry shortly.`,
  );
}
