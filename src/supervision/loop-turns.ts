import { RoundRobinQueue } from './round-robin-queue.ts';

export interface LoopTurnsOptions {
  /** Pieces of one stack in one turn of the event loop. */
  readonly piecesPerTurn: number;
  /** Pieces that may wait, of all stacks; beyond that, pieces go on at once. */
  readonly maxWaiting: number;
}

/** Stacks whose waiting pieces go on in one turn of the event loop. */
const STACKS_PER_TURN = 8;

/**
 * Spreads the work of each stack over turns of the event loop, so that many connections of one stack hold up the others no longer
 * than a few of them would. A stack that has done little in this turn goes on at once; otherwise its work waits for one of
 * the next turns, in round robin among stacks.
 */
export class LoopTurns {
  readonly #options: LoopTurnsOptions;
  readonly #waiting: RoundRobinQueue<() => void>;
  /** Pieces done in this turn. */
  readonly #done = new Map<string, number>();
  #isTurnWatched = false;

  constructor(options: LoopTurnsOptions) {
    this.#options = options;
    this.#waiting = new RoundRobinQueue({ maxWaiting: options.maxWaiting });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Begins a piece of a stack's work: undefined if it may go on at once, else a promise that resolves in its turn. */
  take(stackId: string): Promise<void> | undefined {
    if (!this.#mustWait(stackId)) {
      this.#note(stackId);
      return undefined;
    }
    return new Promise((resolve) => void this.#waiting.add(stackId, resolve, { isHeld: true }));
  }

  #mustWait(stackId: string): boolean {
    if (this.#waiting.length >= this.#options.maxWaiting) return false;
    return this.#isSpent(stackId) || this.#waiting.lengthOf(stackId) > 0;
  }

  #isSpent(stackId: string): boolean {
    return (this.#done.get(stackId) ?? 0) >= this.#options.piecesPerTurn;
  }

  #note(stackId: string): void {
    this.#done.set(stackId, (this.#done.get(stackId) ?? 0) + 1);
    if (this.#isTurnWatched) return;
    this.#isTurnWatched = true;
    setImmediate(this.#beginTurn);
  }

  readonly #beginTurn = (): void => {
    this.#isTurnWatched = false;
    for (const stackId of this.#done.keys()) this.#waiting.letGo(stackId);
    this.#done.clear();
    const most = STACKS_PER_TURN * this.#options.piecesPerTurn;
    for (let served = 0; served < most; served += 1) {
      const ticket = this.#waiting.next();
      if (ticket === undefined) break;
      const { stackId } = ticket.stack;
      this.#note(stackId);
      if (this.#isSpent(stackId)) this.#waiting.hold(stackId);
      ticket.item();
    }
  };
}
