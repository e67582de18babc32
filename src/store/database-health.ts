import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Fault } from '../faults/fault.ts';

const ANSWER_MS = 1_000;
// Probes of many load balancers share one query.
const REMEMBER_MS = 500;

/** Whether the database answers, asked at most twice a second. */
export class DatabaseHealth {
  readonly #pool: pg.Pool;
  #asked: Promise<Fault | undefined> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The fault that says the database is away; `undefined` when it answers. */
  fault(): Promise<Fault | undefined> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<Fault | undefined> {
    const timeout = new AbortController();
    const late = sleep(ANSWER_MS, 'late' as const, { signal: timeout.signal, ref: false }).catch(
      () => 'late' as const,
    );
    const answer = this.#pool.query('select 1').then(
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
