import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../faults/fault.ts';
import { type Connection, execute } from './query.ts';
import { sql } from './sql.ts';

// The wait is in steps: if the process itself was blocked, one step ends at once and the database still has the others.
const ANSWER_STEPS = 4;
const STEP_MS = 250;
// Probes of many load balancers share one query.
const REMEMBER_MS = 500;

/** Whether the database answers, asked at most twice a second. */
export class DatabaseHealth {
  readonly #pool: Connection;
  readonly #stepMs: number;
  #asked: Promise<Fault | undefined> | undefined;

  constructor(pool: Connection, stepMs = STEP_MS) {
    this.#pool = pool;
    this.#stepMs = stepMs;
  }

  /** The fault if the database does not answer; `undefined` if it does. */
  fault(): Promise<Fault | undefined> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<Fault | undefined> {
    const timeout = new AbortController();
    const late = passed(this.#stepMs, timeout.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    const answer = execute(this.#pool, sql`select 1`).then(
      () => 'answered' as const,
      (error: unknown) => error,
    );
    const outcome = await Promise.race([answer, late]);
    timeout.abort();
    setTimeout(() => {
      this.#asked = undefined;
    }, REMEMBER_MS).unref();
    if (outcome === 'answered') return undefined;
    return new Fault('database-away', 'The database does not answer.', { cause: outcome });
  }
}

async function passed(stepMs: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < ANSWER_STEPS; step += 1) await sleep(stepMs, undefined, { signal, ref: false });
}
