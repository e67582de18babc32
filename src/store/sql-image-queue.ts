import type pg from 'pg';
import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { ImagePermit, ImageQueue, ImageStanding } from '../images/image-queue.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { orDatabaseAway } from './database-errors.ts';
import { ImageLine, type Refusal } from './image-line.ts';
import { HeldPlace, ImagePlaces, type PlaceTimes } from './image-places.ts';

export interface SqlImageQueueOptions {
  readonly pool: pg.Pool;
  readonly clock?: Clock;
  readonly times?: Partial<PlaceTimes>;
}

// After two failed renewals this process gives its work up, one renewal before the lease ends.
const defaultTimes: PlaceTimes = { leaseMs: 15_000, renewMs: 3_000, lookMs: 200 };

/** The image queue in the database: the same line for all keys of a stack and all replicas. */
export class SqlImageQueue implements ImageQueue {
  readonly #line: ImageLine;
  readonly #places: ImagePlaces;
  readonly #clock: Clock;

  constructor({ pool, clock = systemClock, times }: SqlImageQueueOptions) {
    const allTimes = { ...defaultTimes, ...times };
    this.#clock = clock;
    this.#line = new ImageLine(pool, allTimes.leaseMs);
    this.#places = new ImagePlaces(this.#line, clock, allTimes);
  }

  /** The places of this process, waiting or rendering. */
  get placesHeld(): number {
    return this.#places.size;
  }

  async enter(caller: Caller, signal: AbortSignal): Promise<ImagePermit> {
    signal.throwIfAborted();
    const enteredAtMs = this.#clock.nowMs();
    const entered = await orDatabaseAway(this.#line.enter(caller.stack.id, caller.plan.limits.images));
    if (!('place' in entered)) throw refusal(entered, caller);
    const held = new HeldPlace(caller.stack.id, entered.place, {
      isRendering: entered.verdict === 'rendering',
      leasedAtMs: enteredAtMs,
    });
    this.#places.hold(held);
    try {
      await this.#awaitTurn(held, caller, signal);
    } catch (error) {
      await this.#places.leave(held);
      throw error;
    }
    return this.#permit(held, this.#clock.nowMs() - enteredAtMs, signal);
  }

  standing(stackId: string): Promise<ImageStanding> {
    return orDatabaseAway(this.#line.count(stackId));
  }

  /** Gives all places of this process back. */
  async close(): Promise<void> {
    await this.#places.close();
  }

  async #awaitTurn(held: HeldPlace, caller: Caller, signal: AbortSignal): Promise<void> {
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

  #permit(held: HeldPlace, waitedMs: number, signal: AbortSignal): ImagePermit {
    const release = async () => {
      signal.removeEventListener('abort', release);
      await this.#places.leave(held);
    };
    signal.addEventListener('abort', release);
    return { waitedMs, lost: held.lost, [Symbol.asyncDispose]: release };
  }
}

function refusal({ verdict, retryMs }: Refusal, { plan }: Caller): Fault {
  const { submissionsPerMinute, inFlight } = plan.limits.images;
  const details = retryMs === undefined ? {} : { retryAfterSeconds: retryMs / 1000 };
  if (verdict === 'queue-full') {
    const message = `This stack already has ${inFlight} images in flight, which is its limit (images.in_flight, plan ${plan.name}); wait for one to end.`;
    return new Fault('image-queue-full', message, details);
  }
  const message = `This stack submitted ${submissionsPerMinute} images in the last minute, which is its limit (images.submissions_per_minute, plan ${plan.name}).`;
  return new Fault('image-rate-limited', message, details);
}
