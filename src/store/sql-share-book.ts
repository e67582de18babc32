import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { LimitSubject } from '../access/limit-subject.ts';
import type { ShareAnswer, ShareAsk, ShareBook } from '../access/share-book.ts';
import { orDatabaseAway } from './database-errors.ts';

// `day` of a ceiling that is not counted by days.
const NO_DAY = '-infinity';

interface AnswerRow {
  readonly may_reach: string;
  readonly others_hold: string;
}

/** The shares of ceilings in the database, as one process sees them; every call is one statement. */
export class SqlShareBook implements ShareBook {
  readonly #pool: pg.Pool;
  readonly #holder = randomUUID();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]> {
    const { rows } = await this.#query<AnswerRow>({
      name: 'exchange_limit_shares',
      // In the order of the locks, which are held until the end: so that two processes never wait for each other.
      text: `with asks as materialized (
          select * from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[]) with ordinality
            as ask (kind, stack, key, day, ceiling, settled, reserved, want, need, lease_ms, place)
          order by hashtext(kind || ' ' || stack), place),
        answers as materialized (select place, answer.* from asks cross join lateral exchange_limit_share(
          kind, stack, key, day, $11, ceiling, settled, reserved, want, need, lease_ms) as answer)
        select may_reach::text, others_hold::text from answers order by place`,
      values: [...subjectColumns(asks.map(({ subject }) => subject)), ...numberColumns(asks), this.#holder],
    });
    return rows.map((row) => ({
      granted: Number(row.may_reach),
      othersHold: Number(row.others_hold),
    }));
  }

  async usedByOthers(subjects: readonly LimitSubject[]): Promise<readonly number[]> {
    const { rows } = await this.#query<{ used: string }>({
      name: 'used_of_limits',
      text: `select (select coalesce(sum(settled + case when lease_until > clock_timestamp() then reserved else 0 end), 0)
          from limit_shares as share where share.kind = subject.kind and stack_id = stack and key_id = key
            and share.day = subject.day and holder <> $5)::text as used
        from unnest($1::text[], $2::text[], $3::text[], $4::date[]) with ordinality
          as subject (kind, stack, key, day, place) order by place`,
      values: [...subjectColumns(subjects), this.#holder],
    });
    return rows.map(({ used }) => Number(used));
  }

  #query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return orDatabaseAway(this.#pool.query<Row>(query));
  }
}

function subjectColumns(subjects: readonly LimitSubject[]): readonly string[][] {
  return [
    subjects.map(({ kind }) => kind),
    subjects.map(({ stackId }) => stackId),
    subjects.map(({ keyId = '' }) => keyId),
    subjects.map(({ day = NO_DAY }) => day),
  ];
}

function numberColumns(asks: readonly ShareAsk[]): readonly number[][] {
  const columns = ['ceiling', 'settled', 'reserved', 'want', 'need', 'leaseMs'] as const;
  return columns.map((column) => asks.map((ask) => ask[column]));
}
