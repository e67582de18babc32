import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import { IdempotentRequests } from '../idempotency/idempotent-requests.ts';
import { systemClock } from '../lib/clock.ts';
import { SqlIdempotencyBook } from '../store/sql-idempotency-book.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface IdempotencyModuleOptions {
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
}

/** Requests with an Idempotency-Key, and the sweeps of their answers. */
export class IdempotencyModule implements GatewayModule {
  readonly requests: IdempotentRequests;
  readonly #sweeps: SweepSchedule;

  constructor({ log, pool, blobs }: IdempotencyModuleOptions) {
    const book = new SqlIdempotencyBook({ pool, blobs });
    this.requests = new IdempotentRequests({ book, clock: systemClock, log });
    this.#sweeps = new SweepSchedule({ what: 'kept answers', sweeper: book, clock: systemClock, log });
  }

  start(): void {
    this.#sweeps.start();
  }

  async stop(): Promise<void> {
    await this.#sweeps.stop();
  }
}
