import { type Clock, systemClock } from '../../lib/clock.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { LaunchChild } from '../../supervision/child-port.ts';
import type { RequestOptions } from '../../supervision/exchange.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { SchemaJob } from './schema-job.ts';

/** What may differ where schemas are worked on. */
export interface SchemaWorkersOptions {
  readonly launch?: LaunchChild;
  readonly clock?: Clock;
  readonly observe?: (event: ChildEvent) => void;
}

/** A second one serves the others while a hostile schema holds the first until its deadline. */
const WORKERS = 2;
/** How many jobs may wait for one worker. */
const MAX_WAITING = 200;
/** Memory a worker may take before it is ended, in MiB. */
export const MAX_WORKER_MIB = 512;
const IDLE_MS = 5 * 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 5_000 };
// A schema that ends its worker is the schema's fault: those behind it should not wait long for the next one.
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

interface Lane {
  readonly worker: Supervised;
  jobs: number;
}

/** A few worker threads, started when needed, each busy with one job at a time. */
export class SchemaWorkers {
  readonly #lanes: readonly Lane[];

  constructor(options: SchemaWorkersOptions) {
    const launch = options.launch ?? launchWorker();
    this.#lanes = Array.from({ length: WORKERS }, () => ({
      worker: new Supervised({
        name: 'schema worker',
        launch,
        patience,
        backoff,
        concurrency: 1,
        maxWaiting: MAX_WAITING,
        streamWindow: 0,
        idleMs: IDLE_MS,
        clock: options.clock ?? systemClock,
        ...(options.observe && { observe: options.observe }),
      }),
      jobs: 0,
    }));
  }

  /** How many jobs wait or run. */
  get jobs(): number {
    return this.#lanes.reduce((sum, { jobs }) => sum + jobs, 0);
  }

  /** Has the least busy worker do a job. */
  async ask(job: SchemaJob, options: RequestOptions): Promise<unknown> {
    const [lane] = [...this.#lanes].sort((left, right) => left.jobs - right.jobs);
    if (!lane) throw new Error('there is no schema worker');
    lane.jobs += 1;
    try {
      return await lane.worker.ask(job, options);
    } finally {
      lane.jobs -= 1;
    }
  }

  /** Lets jobs end that have begun; the signal's abort ends them too. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#lanes.map(({ worker }) => worker.stop(signal)));
  }
}

function launchWorker(): LaunchChild {
  return workerChild({
    entry: compiledEntry(import.meta.url, './schema-worker.js'),
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MIB },
  });
}
