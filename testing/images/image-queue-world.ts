import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { Fault } from '../../src/faults/fault.ts';
import type { ImagePermit } from '../../src/images/image-queue.ts';
import { SqlImageQueue } from '../../src/store/sql-image-queue.ts';
import { HeldClock } from '../bad-child/clocks.ts';

/** A process as the queue sees it: its own memory and clock. */
export interface QueueProcess {
  readonly queue: SqlImageQueue;
  readonly clock: HeldClock;
}

/** A request for a slot, and its result. */
export interface QueuedRequest {
  readonly process: QueueProcess;
  readonly stackId: string;
  readonly turn: number;
  readonly leaving: AbortController;
  state: 'waiting' | 'rendering' | 'refused' | 'left' | 'done';
  permit?: ImagePermit;
  fault?: Fault;
}

/** A stored slot. */
export interface SlotRow {
  readonly stack: string;
  readonly rendering: boolean;
}

const QUIET_TURNS = 3;
// Much shorter than a lease, so that live processes renew theirs.
const STEP_MS = 3_000;

/** Several processes on one database, in which time advances only when told to: rows are moved into the past. */
export class ImageQueueWorld {
  readonly #pool: pg.Pool;
  readonly #processes = new Set<QueueProcess>();
  #turns = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  start(): QueueProcess {
    const clock = new HeldClock();
    const process = { queue: new SqlImageQueue({ pool: this.#pool, clock }), clock };
    this.#processes.add(process);
    return process;
  }

  /** Stops everything of the process. */
  kill(process: QueueProcess): void {
    this.#processes.delete(process);
  }

  isAlive(process: QueueProcess): boolean {
    return this.#processes.has(process);
  }

  arrive(process: QueueProcess, caller: Caller): QueuedRequest {
    const leaving = new AbortController();
    const request: QueuedRequest = {
      process,
      stackId: caller.stack.id,
      turn: this.#turns++,
      leaving,
      state: 'waiting',
    };
    process.queue.enter(caller, leaving.signal).then(
      (permit) => {
        request.permit = permit;
        request.state = 'rendering';
      },
      (error: unknown) => {
        if (error instanceof Fault) request.fault = error;
        request.state = error instanceof Fault ? 'refused' : 'left';
      },
    );
    return request;
  }

  async leave(request: QueuedRequest): Promise<void> {
    request.leaving.abort(new Error('the client left'));
    await this.settle();
    request.state = 'left';
  }

  async finish(request: QueuedRequest): Promise<void> {
    await request.permit?.[Symbol.asyncDispose]();
    request.state = 'done';
  }

  /** Advances the time for the database and all live processes. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      const stepMs = Math.min(STEP_MS, durationMs - passedMs);
      await this.#move(stepMs);
      for (const { clock } of this.#processes) clock.pass(stepMs);
      await this.settle();
    }
  }

  /** Advances the time in one step if no process has anything to do meanwhile. */
  async skip(durationMs: number): Promise<void> {
    for (const { clock } of this.#processes) {
      if (clock.pending > 0) throw new Error('a process has something to do');
    }
    await this.#move(durationMs);
  }

  /** Waits until the database is idle. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await nextTurn();
      const { idleCount, totalCount, waitingCount } = this.#pool;
      quiet = idleCount === totalCount && waitingCount === 0 ? quiet + 1 : 0;
    }
  }

  async slots(): Promise<readonly SlotRow[]> {
    const { rows } = await this.#pool.query<SlotRow>(
      'select stack_id as stack, rendering from image_places order by id',
    );
    return rows;
  }

  async submissions(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: string }>('select count(*) from image_submissions');
    return Number(rows[0]?.count);
  }

  /** How long the oldest submission still counts. */
  async secondsUntilOldestLeaves(): Promise<number> {
    const { rows } = await this.#pool.query<{ seconds: number }>(
      `select extract(epoch from min(submitted_at) + interval '1 minute' - clock_timestamp())::float8 as seconds
       from image_submissions`,
    );
    return rows[0]?.seconds ?? 0;
  }

  async #move(byMs: number): Promise<void> {
    await this.#pool.query(
      `with moved as (update image_places set lease_until = lease_until - make_interval(secs => $1))
       update image_submissions set submitted_at = submitted_at - make_interval(secs => $1)`,
      [byMs / 1000],
    );
  }
}
