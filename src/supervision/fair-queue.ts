import type { SpanParent } from '../telemetry/request-trace.ts';
import { type QueueBounds, RoundRobinQueue, type Ticket } from './round-robin-queue.ts';

/** Limits of running and waiting jobs. */
export interface FairQueueOptions extends QueueBounds {
  readonly capacity: number;
  /** Running jobs of one stack while others wait; absent: no limit beyond its turns. */
  readonly runningPerStack?: number;
  /** Running jobs of one stack while no other stack waits; absent: the whole capacity. */
  readonly runningAlone?: number;
  /** The bound beside stacks that are at work elsewhere in the gateway; absent: as alone. */
  readonly besideOthers?: BesideOthers;
}

/** Running jobs of one stack while others are at work in the gateway, none of which waits in this queue. */
export interface BesideOthers {
  readonly running: number;
  readonly hasOthers: HasOthers;
}

/** Whether other stacks than this are at work in the gateway. */
export type HasOthers = (stackId: string) => boolean;

/** As many jobs as leave a core free: however low their priority, jobs that keep all cores busy delay each step of others. */
export function leavingACore(cores: number, hasOthers: HasOthers | undefined): BesideOthers {
  return { running: Math.max(1, cores - 1), hasOthers: hasOthers ?? (() => false) };
}

/** A slot held; disposing releases it, and disposing twice does nothing. */
export type QueuePermit = Disposable;

/**
 * Slots for jobs of many stacks. A free slot is given at once; otherwise jobs wait in round robin among stacks
 * (`RoundRobinQueue`). There are no timers.
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

  waitingOf(stackId: string): number {
    return this.#queue.lengthOf(stackId);
  }

  /** Number of stacks with running or waiting jobs. */
  get stacks(): number {
    return this.#runningOf.size + this.#queue.stacks;
  }

  /**
   * Takes a slot, synchronously if one is free; aborting the signal leaves the queue. Throws if too many wait. A wait is a part
   * of the span.
   */
  take(stackId: string, signal?: AbortSignal, span?: SpanParent): QueuePermit | Promise<QueuePermit> {
    signal?.throwIfAborted();
    if (this.#closedFor !== undefined) throw this.#closedFor.error;
    if (this.#mayRunNow(stackId)) return this.#permit(stackId);
    const permit = this.#wait(stackId, signal);
    if (span === undefined) return permit;
    const queued = span.start('queue', 'internal');
    return permit.finally(() => queued.end());
  }

  /** Runs a job while holding a slot. */
  async run<Result>(
    stackId: string,
    signal: AbortSignal | undefined,
    job: () => Result | Promise<Result>,
  ): Promise<Result> {
    using _permit = await this.take(stackId, signal);
    return await job();
  }

  /** Rejects all waiting jobs. */
  refuseWaiting(error: unknown): void {
    for (const waiter of this.#queue.clear()) waiter.refuse(error);
  }

  /** Rejects waiting and future jobs; running ones may finish. */
  close(error: unknown): void {
    this.#closedFor ??= { error };
    this.refuseWaiting(error);
  }

  /** While a slot is free, only stacks at their bound wait, so a stack below its bound overtakes no one. */
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
      // The remaining stack may be alone now, with a higher bound.
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
    const { runningAlone, capacity, besideOthers } = this.#options;
    const isBeside = besideOthers?.hasOthers(stackId) === true;
    return this.#runningBy(stackId) < (isBeside ? besideOthers.running : (runningAlone ?? capacity));
  }
}

/** A job waiting for a slot, until it is granted, refused or aborted. */
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
