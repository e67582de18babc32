import type pg from 'pg';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { ImageStanding } from '../images/image-queue.ts';

/** Why there is no place, and how long it makes sense to wait, where that is known. */
export interface Refusal {
  readonly verdict: 'rate-limited' | 'queue-full';
  readonly retryMs: number | undefined;
}

/** How a submission fared. Places are named by text: their numbers may be larger than JavaScript's. */
type Verdict = Refusal | { readonly verdict: 'rendering' | 'waiting'; readonly place: string };

/** A place as the database sees it. */
export interface SeenPlace {
  readonly place: string;
  readonly rendering: boolean;
  /** Whether a place of the same line belongs to a process that is gone. */
  readonly lineIsStale: boolean;
}

interface VerdictRow {
  readonly verdict: 'rendering' | 'waiting' | 'rate-limited' | 'queue-full';
  readonly place: string | null;
  readonly retry_ms: number | null;
}

/** The lines in front of image engines, in the database; every call is one short statement. */
export class ImageLine {
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, leaseMs: number) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
  }

  async enter(stackId: string, limits: PlanLimits['images']): Promise<Verdict> {
    const { rows } = await this.#pool.query<VerdictRow>({
      name: 'enter_image_line',
      text: 'select verdict, place::text, retry_ms from enter_image_line($1, $2, $3, $4, $5)',
      values: [stackId, limits.submissionsPerMinute, limits.inFlight, limits.rendering, this.#leaseMs],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('entering an image line returned nothing');
    const { verdict, place, retry_ms } = row;
    if (verdict === 'rate-limited' || verdict === 'queue-full')
      return { verdict, retryMs: retry_ms ?? undefined };
    if (place === null) throw new Error(`an image line said ${verdict} but gave no place`);
    return { verdict, place };
  }

  /** Gives a place back; returns the places whose turn has come by that. */
  async leave(stackId: string, place: string): Promise<readonly string[]> {
    return this.#turns('leave_image_line', 'select leave_image_line($1, $2)::text[] as turns', [
      stackId,
      place,
    ]);
  }

  /** Removes the places of processes that are gone; returns the places whose turn has come by that. */
  async tidy(stackId: string): Promise<readonly string[]> {
    return this.#turns('tidy_image_line', 'select tidy_image_line($1)::text[] as turns', [stackId]);
  }

  /** Makes the leases of the places whole again; returns those that are still there. */
  async renew(places: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ place: string }>({
      name: 'renew_image_places',
      text: `update image_places set lease_until = clock_timestamp() + make_interval(secs => $2 / 1000.0)
        where id = any ($1::bigint[]) returning id::text as place`,
      values: [places, this.#leaseMs],
    });
    return new Set(rows.map(({ place }) => place));
  }

  /** Looks at the places without changing anything; one that is gone is not among the answers. */
  async look(places: readonly string[]): Promise<readonly SeenPlace[]> {
    const { rows } = await this.#pool.query<SeenPlace>({
      name: 'look_at_image_places',
      text: `select id::text as place, rendering, exists (select from image_places as other
          where other.stack_id = own.stack_id and other.lease_until <= clock_timestamp()) as "lineIsStale"
        from image_places as own where id = any ($1::bigint[])`,
      values: [places],
    });
    return rows;
  }

  /** Counts without changing anything. */
  async count(stackId: string): Promise<ImageStanding> {
    const { rows } = await this.#pool.query<ImageStanding>({
      name: 'count_image_line',
      text: `select (select count(*) from image_submissions
          where stack_id = $1 and submitted_at > clock_timestamp() - interval '1 minute')::integer as submissions,
        count(*)::integer as "inFlight", (count(*) filter (where rendering))::integer as rendering
        from image_places where stack_id = $1 and lease_until > clock_timestamp()`,
      values: [stackId],
    });
    return rows[0] ?? { submissions: 0, inFlight: 0, rendering: 0 };
  }

  async #turns(name: string, text: string, values: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ turns: readonly string[] }>({
      name,
      text,
      values: [...values],
    });
    return rows[0]?.turns ?? [];
  }
}
