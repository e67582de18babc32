import type pg from 'pg';
import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { ImagePermit, ImageQueue, ImageStanding } from '../images/image-queue.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { orDatabaseAway } from './database-errors.ts';
import { ImageQueueTable, type QueueRefusal } from './image-queue-table.ts';
import { HeldSlot, ImageSlots, type SlotTimes } from './image-slots.ts';

export interface SqlImageQueueOptions {
  readonly pool: pg.Pool;
  readonly clock?: Clock;
  readonly times?: Partial<SlotTimes>;
}

// After two failed renewals this process gives its work up, one renewal before the lease ends.
const defaultTimes: SlotTimes = { leaseMs: 15_000, renewMs: 3_000, lookMs: 200 };

/** The image queue in the database: the same queue for all keys of a stack and all replicas. */
export class SqlImageQueue implements ImageQueue {
  readonly #table: ImageQueueTable;
  readonly #slots: ImageSlots;
  readonly #clock: Clock;

  constructor({ pool, clock = systemClock, times }: SqlImageQueueOptions) {
    const allTimes = { ...defaultTimes, ...times };
    this.#clock = clock;
    this.#table = new ImageQueueTable(pool, allTimes.leaseMs);
    this.#slots = new ImageSlots(this.#table, clock, allTimes);
  }

  /** The slots of this process, waiting or rendering. */
  get slotsHeld(): number {
    return this.#slots.size;
  }

  async enter(caller: Caller, signal: AbortSignal): Promise<ImagePermit> {
    signal.throwIfAborted();
    const enteredAtMs = this.#clock.nowMs();
    const entered = await orDatabaseAway(this.#table.enter(caller.stack.id, caller.plan.limits.images));
    if (!('slot' in entered)) throw refusal(entered, caller);
    const held = new HeldSlot(caller.stack.id, entered.slot, {
      isRendering: entered.verdict === 'rendering',
      leasedAtMs: enteredAtMs,
    });
    this.#slots.hold(held);
    try {
      await this.#awaitTurn(held, caller, signal);
    } catch (error) {
      await this.#slots.leave(held);
      throw error;
    }
    return this.#permit(held, this.#clock.nowMs() - enteredAtMs, signal);
  }

  standing(stackId: string): Promise<ImageStanding> {
    return orDatabaseAway(this.#table.count(stackId));
  }

  /** Releases all slots of this process. */
  async close(): Promise<void> {
    await this.#slots.close();
  }

  async #awaitTurn(held: HeldSlot, caller: Caller, signal: AbortSignal): Promise<void> {
    const { queueWaitSeconds } = caller.plan.limits.images;
    const late = new AbortController();
    const deadline = this.#clock.after(queueWaitSeconds * 1000, () => {
      const message = `The image waited ${queueWaitSeconds} seconds for its turn, which is the limit (images.queue_wait_seconds, plan ${caller.plan.name}).`;
      late.abort(new Fault('image-queue-timeout', message));
    });
    try {
      await orAborted(held.turn, AbortSignal.any([signal, held.lost, late.signal]));
    } finally {
      deadline.cancel();
    }
  }

  #permit(held: HeldSlot, waitedMs: number, signal: AbortSignal): ImagePermit {
    const release = async () => {
      signal.removeEventListener('abort', release);
      await this.#slots.leave(held);
    };
    signal.addEventListener('abort', release);
    return { waitedMs, lost: held.lost, [Symbol.asyncDispose]: release };
  }
}

function refusal({ verdict, retryMs }: QueueRefusal, { plan }: Caller): Fault {
  const { submissionsPerMinute, inFlight } = plan.limits.images;
  const details = retryMs === undefined ? {} : { retryAfterSeconds: retryMs / 1000 };
  if (verdict === 'queue-full') {
    const message = `This stack already has ${inFlight} images in flight, which is its limit (images.in_flight, plan ${plan.name}); wait for one to end.`;
    return new Fault('image-queue-full', message, details);
  }
  const message = `This stack submitted ${submissionsPerMinute} images in the last minute, which is its limit (images.submissions_per_minute, plan ${plan.name}).`;
  return new Fault('image-rate-limited', message, details);
}
