import { type Clock, systemClock } from '../../lib/clock.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { LaunchChild } from '../../supervision/child-port.ts';
import type { ChildPriority } from '../../supervision/child-priority.ts';
import { forkedChild } from '../../supervision/forked-child.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { SupervisedPool } from '../../supervision/supervised-pool.ts';
import type { SchemaJob } from './schema-job.ts';

/** Options of `SchemaWorkers`. */
export interface SchemaWorkersOptions {
  readonly launch?: LaunchChild;
  readonly clock?: Clock;
  readonly observe?: (event: ChildEvent) => void;
}

/** More than one stack may use, so that others always find a worker. */
const WORKERS = 3;
const RUNNING_PER_STACK = 1;
/** Most jobs waiting, per stack and in total. */
const MAX_WAITING_PER_STACK = 200;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** Memory limit of a worker, in MiB. */
export const MAX_WORKER_MIB = 512;
const IDLE_MS = 5 * 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 5_000 };
// Short, since a worker usually ends because of its schema, and the jobs behind it should not wait long.
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };
/** Most wall time of a job, as a multiple of its CPU time. */
const WALL_PER_CPU = 12;

/**
 * A few workers, started on demand, each with one job at a time; stacks take turns. They are processes: the threads that collect
 * the garbage of a worker thread belong to the whole process and have its priority, and took more time than the worker itself.
 */
export class SchemaWorkers {
  readonly #pool: SupervisedPool;
  /** For jobs whose result no request waits for. */
  readonly #background: SupervisedPool;

  constructor(options: SchemaWorkersOptions) {
    const launch = options.launch ?? launchSchemaWorker();
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
      spares: 1,
      runningAlone: RUNNING_PER_STACK,
      ...bounds,
    });
    const members = [member('background')];
    this.#background = new SupervisedPool({ name: 'schema worker', members, ...bounds });
  }

  /** Jobs waiting or running. */
  get jobs(): number {
    return [this.#pool, this.#background].reduce((jobs, pool) => jobs + pool.waiting + pool.running, 0);
  }

  /** Runs a job in a worker, with a limit on its CPU time. */
  ask(job: SchemaJob, cpuMs: number, { stackId, signal }: StackWork): Promise<unknown> {
    const pool = job.kind === 'breach' ? this.#background : this.#pool;
    return pool.ask(job, { signal, stackId, deadlineMs: cpuMs, mostWallMs: WALL_PER_CPU * cpuMs });
  }

  /** Lets running jobs finish; an abort of the signal ends them. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pool.stop(signal), this.#background.stop(signal)]);
  }
}

/** A worker process with this much memory. */
export function launchSchemaWorker(maxMib: number = MAX_WORKER_MIB): LaunchChild {
  return forkedChild({
    entry: compiledEntry(import.meta.url, './schema-worker.js'),
    env: { MALLOC_ARENA_MAX: '1' },
    // One job has one core, its garbage collection included.
    nodeOptions: [`--max-old-space-size=${maxMib}`, '--single-threaded-gc'],
  });
}
