import type pg from 'pg';
import { z } from 'zod';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { ImageStanding } from '../images/image-queue.ts';
import { queryRow, queryRows } from './query.ts';
import { prepared, type Sql, sql } from './sql.ts';

/** The reason for a refusal, and how long to wait, where that is known. */
export interface Refusal {
  readonly verdict: 'rate-limited' | 'queue-full';
  readonly retryMs: number | undefined;
}

/** The outcome of a submission. */
type Verdict = Refusal | { readonly verdict: 'rendering' | 'waiting'; readonly place: string };

// Places are text: their numbers may be beyond 2^53.
const verdictRow = z.object({
  verdict: z.enum(['rendering', 'waiting', 'rate-limited', 'queue-full']),
  place: z.string().nullable(),
  retryMs: z.number().nullable(),
});

const placeRow = z.object({ place: z.string() });
const turnsRow = z.object({ turns: z.array(z.string()) });
const standingRow = z.object({ submissions: z.number(), inFlight: z.number(), rendering: z.number() });
const seenPlaceRow = z.object({
  place: z.string(),
  rendering: z.boolean(),
  /** Whether a place of the same line belongs to a process that has ended. */
  lineIsStale: z.boolean(),
});

/** A place as the database sees it. */
export type SeenPlace = Readonly<z.infer<typeof seenPlaceRow>>;

/** The lines in front of image engines, in the database; every call is one short statement. */
export class ImageLine {
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, leaseMs: number) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
  }

  async enter(stackId: string, limits: PlanLimits['images']): Promise<Verdict> {
    const statement = prepared(
      'enter_image_line',
      sql`select verdict, place, retry_ms from enter_image_line(${stackId}, ${limits.submissionsPerMinute},
        ${limits.inFlight}, ${limits.rendering}, ${this.#leaseMs})`,
    );
    const { verdict, place, retryMs } = await queryRow(this.#pool, verdictRow, statement);
    if (verdict === 'rate-limited' || verdict === 'queue-full')
      return { verdict, retryMs: retryMs ?? undefined };
    if (place === null) throw new Error(`an image line said ${verdict} but gave no place`);
    return { verdict, place };
  }

  /** Gives a place back; returns the places whose turn comes by that. */
  leave(stackId: string, place: string): Promise<readonly string[]> {
    return this.#turns(
      prepared('leave_image_line', sql`select leave_image_line(${stackId}, ${place}) as turns`),
    );
  }

  /** Removes the places of ended processes; returns the places whose turn comes by that. */
  tidy(stackId: string): Promise<readonly string[]> {
    return this.#turns(prepared('tidy_image_line', sql`select tidy_image_line(${stackId}) as turns`));
  }

  /** Renews the leases of the places; returns those that are still there. */
  async renew(places: readonly string[]): Promise<ReadonlySet<string>> {
    const statement = prepared(
      'renew_image_places',
      sql`update image_places set lease_until = clock_timestamp() + make_interval(secs => ${this.#leaseMs} / 1000.0)
        where id = any (${places}::bigint[]) returning id as place`,
    );
    const rows = await queryRows(this.#pool, placeRow, statement);
    return new Set(rows.map(({ place }) => place));
  }

  /** Reads the places, without a change; a removed one is not among the answers. */
  look(places: readonly string[]): Promise<readonly SeenPlace[]> {
    const query = prepared(
      'look_at_image_places',
      sql`select id as place, rendering, exists (select from image_places as other
          where other.stack_id = own.stack_id and other.lease_until <= clock_timestamp()) as line_is_stale
        from image_places as own where id = any (${places}::bigint[])`,
    );
    return queryRows(this.#pool, seenPlaceRow, query);
  }

  /** Counts without a change. */
  count(stackId: string): Promise<ImageStanding> {
    const query = prepared(
      'count_image_line',
      sql`select (select count(*) from image_submissions where stack_id = ${stackId}
          and submitted_at > clock_timestamp() - interval '1 minute')::integer as submissions,
        count(*)::integer as in_flight, (count(*) filter (where rendering))::integer as rendering
        from image_places where stack_id = ${stackId} and lease_until > clock_timestamp()`,
    );
    return queryRow(this.#pool, standingRow, query);
  }

  async #turns(statement: Sql): Promise<readonly string[]> {
    return (await queryRow(this.#pool, turnsRow, statement)).turns;
  }
}
