import { type QueueBounds, RoundRobinQueue, type Ticket } from './round-robin-queue.ts';

/** How many jobs run at once, of whom, and how many may wait. */
export interface FairQueueOptions extends QueueBounds {
  readonly capacity: number;
  /** How many jobs of one stack run while others wait; absent: whatever its turns give. */
  readonly runningPerStack?: number;
  /** How many jobs of one stack run while nobody else waits; absent: all of the capacity. */
  readonly runningAlone?: number;
}

/** A place taken; disposing gives it back, and doing so twice does nothing. */
export type QueuePermit = Disposable;

/**
 * Places for jobs of many stacks. A place that is free is given at once; where none is, jobs wait in turns among stacks
 * (`RoundRobinQueue`), and the order alone decides who is next: there are no timers.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #queue: RoundRobinQueue<Waiter>;
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #closedFor: { readonly error: unknown } | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#queue = new RoundRobinQueue(options);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** How many jobs of one stack wait. */
  waitingOf(stackId: string): number {
    return this.#queue.lengthOf(stackId);
  }

  /** How many stacks it keeps in mind: those with jobs that run or wait. */
  get stacks(): number {
    return this.#runningOf.size + this.#queue.stacks;
  }

  /** Takes a place, at once where that can be; the signal's abort leaves the line. Throws where too many wait. */
  take(stackId: string, signal?: AbortSignal): QueuePermit | Promise<QueuePermit> {
    signal?.throwIfAborted();
    if (this.#closedFor !== undefined) throw this.#closedFor.error;
    return this.#mayRunNow(stackId) ? this.#permit(stackId) : this.#wait(stackId, signal);
  }

  /** Does a job in a place of its own. */
  async run<Result>(
    stackId: string,
    signal: AbortSignal | undefined,
    job: () => Result | Promise<Result>,
  ): Promise<Result> {
    using _permit = await this.take(stackId, signal);
    return await job();
  }

  /** Refuses everybody who waits now. */
  refuseWaiting(error: unknown): void {
    for (const waiter of this.#queue.clear()) waiter.refuse(error);
  }

  /** Refuses everybody who waits or comes; what runs may end. */
  close(error: unknown): void {
    this.#closedFor ??= { error };
    this.refuseWaiting(error);
  }

  /** Those who wait while a place is free are all held back by their bounds, so whoever is below it passes nobody. */
  #mayRunNow(stackId: string): boolean {
    if (this.#running >= this.#options.capacity) return false;
    if (!this.#isAtBound(stackId)) return true;
    return this.#queue.length === 0 && this.#mayRunAlone(stackId);
  }

  #wait(stackId: string, signal: AbortSignal | undefined): Promise<QueuePermit> {
    const waiter = new Waiter(stackId);
    const ticket = this.#queue.add(stackId, waiter, { isHeld: this.#isAtBound(stackId) });
    if (signal === undefined) return waiter.permit;
    waiter.leaveBy(signal, () => {
      this.#queue.remove(ticket);
      // Whoever is left may be alone now, and have more places than among others.
      this.#serve();
    });
    return waiter.permit;
  }

  #serve(): void {
    while (this.#running < this.#options.capacity) {
      const ticket = this.#queue.next() ?? this.#nextAlone();
      if (ticket === undefined) return;
      ticket.item.grant(this.#permit(ticket.item.stackId));
    }
  }

  #nextAlone(): Ticket<Waiter> | undefined {
    const { lone } = this.#queue;
    return lone !== undefined && this.#mayRunAlone(lone) ? this.#queue.nextOfLone() : undefined;
  }

  #permit(stackId: string): QueuePermit {
    this.#running += 1;
    this.#runningOf.set(stackId, this.#runningBy(stackId) + 1);
    if (this.#isAtBound(stackId)) this.#queue.hold(stackId);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#release(stackId);
      },
    };
  }

  #release(stackId: string): void {
    this.#running -= 1;
    const left = this.#runningBy(stackId) - 1;
    if (left === 0) this.#runningOf.delete(stackId);
    else this.#runningOf.set(stackId, left);
    if (!this.#isAtBound(stackId)) this.#queue.letGo(stackId);
    this.#serve();
  }

  #runningBy(stackId: string): number {
    return this.#runningOf.get(stackId) ?? 0;
  }

  #isAtBound(stackId: string): boolean {
    const { runningPerStack, runningAlone = this.#options.capacity } = this.#options;
    return this.#runningBy(stackId) >= (runningPerStack ?? runningAlone);
  }

  #mayRunAlone(stackId: string): boolean {
    return this.#runningBy(stackId) < (this.#options.runningAlone ?? this.#options.capacity);
  }
}

/** One who waits for a place, until it is given, refused or not wanted any more. */
class Waiter {
  readonly stackId: string;
  readonly permit: Promise<QueuePermit>;
  #resolve: (permit: QueuePermit) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #stay: () => void = () => {};

  constructor(stackId: string) {
    this.stackId = stackId;
    this.permit = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  leaveBy(signal: AbortSignal, leave: () => void): void {
    const abort = () => {
      leave();
      this.#reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#stay = () => signal.removeEventListener('abort', abort);
  }

  grant(permit: QueuePermit): void {
    this.#stay();
    this.#resolve(permit);
  }

  refuse(error: unknown): void {
    this.#stay();
    this.#reject(error);
  }
}
