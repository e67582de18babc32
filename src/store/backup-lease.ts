import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { execute } from './query.ts';
import { sql } from './sql.ts';

const LEASE_SECONDS = 300;

/** The right to make the scheduled backup, which one process has at a time; a killed one loses it when its lease ends. */
export class BackupLease {
  readonly #pool: pg.Pool;
  readonly #holder = randomUUID();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Takes the right to make the backup of this time; false if it was made, or another process makes it. */
  async take(dueAt: Date): Promise<boolean> {
    const taken = await execute(
      this.#pool,
      sql`update backup_schedule set holder = ${this.#holder},
          lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where done_until < ${dueAt} and (lease_until <= now() or holder = ${this.#holder})`,
    );
    return taken > 0;
  }

  async renew(): Promise<void> {
    await execute(
      this.#pool,
      sql`update backup_schedule set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where holder = ${this.#holder}`,
    );
  }

  /** Records the backup of this time as made. */
  async finish(dueAt: Date): Promise<void> {
    await execute(
      this.#pool,
      sql`update backup_schedule set done_until = ${dueAt}, holder = null, lease_until = '-infinity'
        where holder = ${this.#holder}`,
    );
  }

  async release(): Promise<void> {
    await execute(
      this.#pool,
      sql`update backup_schedule set holder = null, lease_until = '-infinity' where holder = ${this.#holder}`,
    );
  }
}
