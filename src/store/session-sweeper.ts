import type pg from 'pg';
import type { WallClock } from '../lib/wall-clock.ts';
import { sessionBounds } from '../people/sessions.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';

/** Removes sessions of the console that are over, and links that were not used in time. */
export class SessionSweeper {
  readonly #pool: pg.Pool;
  readonly #clock: WallClock;

  constructor(pool: pg.Pool, clock: WallClock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** How many were removed; `undefined` if there were none. */
  async sweep(): Promise<{ readonly sessions: number; readonly links: number } | undefined> {
    const nowMs = this.#clock.nowMs();
    const { openedAfter, seenAfter } = sessionBounds(nowMs);
    const sessions = await execute(
      this.#pool,
      sql`delete from console_sessions where opened_at <= ${openedAfter} or seen_at <= ${seenAfter}`,
    );
    const links = await execute(
      this.#pool,
      sql`delete from setup_links where expires_at <= ${new Date(nowMs)}`,
    );
    return sessions + links === 0 ? undefined : { sessions, links };
  }
}
