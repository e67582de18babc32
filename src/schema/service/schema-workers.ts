import { type Clock, systemClock } from '../../lib/clock.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { LaunchChild } from '../../supervision/child-port.ts';
import type { ChildPriority } from '../../supervision/child-priority.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { SupervisedPool } from '../../supervision/supervised-pool.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { SchemaJob } from './schema-job.ts';

/** What may differ where schemas are worked on. */
export interface SchemaWorkersOptions {
  readonly launch?: LaunchChild;
  readonly clock?: Clock;
  readonly observe?: (event: ChildEvent) => void;
}

/** More than a stack may ever hold: whatever its schemas do, a worker is left for the others. */
const WORKERS = 3;
const RUNNING_PER_STACK = 1;
/** How many jobs may wait, of one stack and in all. */
const MAX_WAITING_PER_STACK = 200;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** Memory a worker may take before it is ended, in MiB. */
export const MAX_WORKER_MIB = 512;
const IDLE_MS = 5 * 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 5_000 };
// A schema that ends its worker is the schema's fault: those behind it should not wait long for the next one.
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };
/** What a job may take by the clock, in its CPU time: on a machine that is so busy nothing else goes well either. */
const WALL_PER_CPU = 12;

/** A few worker threads, started when needed, each busy with one job at a time; jobs that wait take turns among stacks. */
export class SchemaWorkers {
  readonly #pool: SupervisedPool;
  /** For what nobody waits for. */
  readonly #background: SupervisedPool;

  constructor(options: SchemaWorkersOptions) {
    const launch = options.launch ?? launchWorker();
    const member = (priority: ChildPriority) =>
      new Supervised({
        name: 'schema worker',
        launch,
        priority,
        patience,
        backoff,
        concurrency: 1,
        maxWaiting: 1,
        streamWindow: 0,
        idleMs: IDLE_MS,
        clock: options.clock ?? systemClock,
        ...(options.observe && { observe: options.observe }),
      });
    const bounds = { maxWaiting: MAX_WAITING, maxWaitingPerStack: MAX_WAITING_PER_STACK };
    this.#pool = new SupervisedPool({
      name: 'schema worker',
      members: Array.from({ length: WORKERS }, () => member('heavy')),
      keepsSpare: true,
      runningAlone: RUNNING_PER_STACK,
      ...bounds,
    });
    const members = [member('background')];
    this.#background = new SupervisedPool({ name: 'schema worker', members, ...bounds });
  }

  /** How many jobs wait or run. */
  get jobs(): number {
    return [this.#pool, this.#background].reduce((jobs, pool) => jobs + pool.waiting + pool.running, 0);
  }

  /** Has a worker do a job, which may take so much of its CPU time. */
  ask(job: SchemaJob, cpuMs: number, { stackId, signal }: StackWork): Promise<unknown> {
    const pool = job.kind === 'breach' ? this.#background : this.#pool;
    return pool.ask(job, { signal, stackId, deadlineMs: cpuMs, mostWallMs: WALL_PER_CPU * cpuMs });
  }

  /** Lets jobs end that have begun; the signal's abort ends them too. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pool.stop(signal), this.#background.stop(signal)]);
  }
}

function launchWorker(): LaunchChild {
  return workerChild({
    entry: compiledEntry(import.meta.url, './schema-worker.js'),
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MIB },
  });
}
