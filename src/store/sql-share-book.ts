import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { LimitSubject } from '../access/limit-subject.ts';
import type { ShareAnswer, ShareAsk, ShareBook } from '../access/share-book.ts';
import { orDatabaseAway } from './database-errors.ts';
import { queryRows, wholeNumber } from './query.ts';
import { joined, prepared, type Sql, sql } from './sql.ts';

// `day` of a ceiling that is not counted by days.
const NO_DAY = '-infinity';

const answerRow = z.object({ granted: wholeNumber, othersHold: wholeNumber });
const usedRow = z.object({ used: wholeNumber });

/** The shares of ceilings in the database, as one process sees them; every call is one statement. */
export class SqlShareBook implements ShareBook {
  readonly #pool: pg.Pool;
  readonly #holder: string;

  /** `holder` is the name of this process. */
  constructor(pool: pg.Pool, holder: string = randomUUID()) {
    this.#pool = pool;
    this.#holder = holder;
  }

  exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]> {
    const statement = prepared(
      'exchange_limit_shares',
      // In the order of the locks, which last until the end: two processes never wait for each other.
      sql`with asks as materialized (
          select * from unnest(${subjectColumns(asks.map(({ subject }) => subject))}, ${numberColumns(asks)})
            with ordinality as ask (kind, stack, key, day, ceiling, settled, reserved, want, need, lease_ms, place)
          order by hashtext(kind || ' ' || stack), place),
        answers as materialized (select place, answer.* from asks cross join lateral exchange_limit_share(
          kind, stack, key, day, ${this.#holder}, ceiling, settled, reserved, want, need, lease_ms) as answer)
        select may_reach as granted, others_hold from answers order by place`,
    );
    return orDatabaseAway(queryRows(this.#pool, answerRow, statement));
  }

  async usedByOthers(subjects: readonly LimitSubject[]): Promise<readonly number[]> {
    const query = prepared(
      'used_of_limits',
      sql`select (select coalesce(sum(settled + case when lease_until > clock_timestamp() then reserved else 0 end), 0)
          from limit_shares as share where share.kind = subject.kind and stack_id = stack and key_id = key
            and share.day = subject.day and holder <> ${this.#holder}) as used
        from unnest(${subjectColumns(subjects)}) with ordinality
          as subject (kind, stack, key, day, place) order by place`,
    );
    const rows = await orDatabaseAway(queryRows(this.#pool, usedRow, query));
    return rows.map(({ used }) => used);
  }
}

function subjectColumns(subjects: readonly LimitSubject[]): Sql {
  return sql`${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ stackId }) => stackId)}::text[],
    ${subjects.map(({ keyId = '' }) => keyId)}::text[], ${subjects.map(({ day = NO_DAY }) => day)}::date[]`;
}

function numberColumns(asks: readonly ShareAsk[]): Sql {
  const columns = ['ceiling', 'settled', 'reserved', 'want', 'need', 'leaseMs'] as const;
  return joined(
    columns.map((column) => sql`${asks.map((ask) => ask[column])}::bigint[]`),
    ', ',
  );
}
