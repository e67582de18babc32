import type pg from 'pg';
import { z } from 'zod';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { ImageStanding } from '../images/image-queue.ts';
import { queryRow, queryRows } from './query.ts';
import { prepared, type Sql, sql } from './sql.ts';

/** The reason for a refusal, and the time to wait, if known. */
export interface QueueRefusal {
  readonly verdict: 'rate-limited' | 'queue-full';
  readonly retryMs: number | undefined;
}

/** The outcome of a submission. */
type Verdict = QueueRefusal | { readonly verdict: 'rendering' | 'waiting'; readonly slot: string };

// Slots are text: their numbers may be beyond 2^53.
const verdictRow = z.object({
  verdict: z.enum(['rendering', 'waiting', 'rate-limited', 'queue-full']),
  slot: z.string().nullable(),
  retryMs: z.number().nullable(),
});

const slotRow = z.object({ slot: z.string() });
const turnsRow = z.object({ turns: z.array(z.string()) });
const standingRow = z.object({ submissions: z.number(), inFlight: z.number(), rendering: z.number() });
const seenSlotRow = z.object({
  slot: z.string(),
  rendering: z.boolean(),
  /** Whether a slot of the same queue belongs to a process that has ended. */
  queueIsStale: z.boolean(),
});

/** A slot as the database sees it. */
export type SeenSlot = Readonly<z.infer<typeof seenSlotRow>>;

/** The queues in front of image engines, in the database; every call is one short statement. */
export class ImageQueueTable {
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, leaseMs: number) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
  }

  async enter(stackId: string, limits: PlanLimits['images']): Promise<Verdict> {
    const statement = prepared(
      'enter_image_line',
      sql`select verdict, place as slot, retry_ms from enter_image_line(${stackId}, ${limits.submissionsPerMinute},
        ${limits.inFlight}, ${limits.rendering}, ${this.#leaseMs})`,
    );
    const { verdict, slot, retryMs } = await queryRow(this.#pool, verdictRow, statement);
    if (verdict === 'rate-limited' || verdict === 'queue-full')
      return { verdict, retryMs: retryMs ?? undefined };
    if (slot === null) throw new Error(`an image queue said ${verdict} but gave no slot`);
    return { verdict, slot };
  }

  /** Releases a slot; returns the slots that start to render. */
  leave(stackId: string, slot: string): Promise<readonly string[]> {
    return this.#turns(
      prepared('leave_image_line', sql`select leave_image_line(${stackId}, ${slot}) as turns`),
    );
  }

  /** Removes the slots of ended processes; returns the slots that start to render. */
  tidy(stackId: string): Promise<readonly string[]> {
    return this.#turns(prepared('tidy_image_line', sql`select tidy_image_line(${stackId}) as turns`));
  }

  /** Renews the leases of the slots; returns those that are still there. */
  async renew(slots: readonly string[]): Promise<ReadonlySet<string>> {
    const statement = prepared(
      'renew_image_places',
      sql`update image_places set lease_until = clock_timestamp() + make_interval(secs => ${this.#leaseMs} / 1000.0)
        where id = any (${slots}::bigint[]) returning id as slot`,
    );
    const rows = await queryRows(this.#pool, slotRow, statement);
    return new Set(rows.map(({ slot }) => slot));
  }

  /** Reads the slots without changing them; removed slots are missing. */
  look(slots: readonly string[]): Promise<readonly SeenSlot[]> {
    const query = prepared(
      'look_at_image_places',
      sql`select id as slot, rendering, exists (select from image_places as other
          where other.stack_id = own.stack_id and other.lease_until <= clock_timestamp()) as queue_is_stale
        from image_places as own where id = any (${slots}::bigint[])`,
    );
    return queryRows(this.#pool, seenSlotRow, query);
  }

  /** Counts the stack's submissions of the last minute and its images in flight. */
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
