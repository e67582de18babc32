import { Fault } from '../faults/fault.ts';

/** The places for documents that are being printed. Nobody waits for one, and while there are several no stack has all of them. */
export class PrintPlaces {
  readonly #count: number;
  readonly #perStack: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
    this.#perStack = Math.max(1, count - 1);
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place, which disposing gives back; throws where none is left for this stack. */
  take(stackId: string): Disposable {
    const own = this.#takenBy.get(stackId) ?? 0;
    if (this.#taken >= this.#count) throw noneLeft(this.#count);
    if (own >= this.#perStack) throw noneLeftForStack(this.#perStack, this.#count);
    this.#taken += 1;
    this.#takenBy.set(stackId, own + 1);
    return { [Symbol.dispose]: () => this.#giveBack(stackId) };
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

function noneLeftForStack(perStack: number, count: number): Fault {
  return new Fault(
    'pdf-in-flight',
    `The stack has taken ${perStack} of this server's ${count} places for printing (engines.pdf.max_in_flight); the last one is for others. Retry shortly.`,
  );
}
