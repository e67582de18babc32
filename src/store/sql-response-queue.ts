import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Fault } from '../faults/fault.ts';
import {
  type EventPage,
  type FinishedResponse,
  MOST_RUNNING_PER_STACK,
  MOST_UNFINISHED_PER_STACK,
  type QueuedResponse,
  type ResponseJob,
  ResponseJobLost,
  type ResponseQueue,
} from '../text/responses/response-queue.ts';
import { writtenResponse } from '../text/wire/responses/response-object.ts';
import { appendToConversation, itemColumns } from './conversation-rows.ts';
import { orDatabaseAway } from './database-errors.ts';
import { type Connection, execute, findRow, queryRow, queryRows, wholeNumber } from './query.ts';
import { ResponseParts } from './response-parts.ts';
import {
  answerColumns,
  insertOutputItems,
  insertResponses,
  joinResponse,
  NO_OUTPUT,
  partsOf,
  responseColumns,
  updateResponse,
} from './response-rows.ts';
import { prepared, type Sql, sql } from './sql.ts';
import { isThere } from './sql-responses.ts';
import { inTransaction } from './transaction.ts';

const DEFAULT_LEASE_MS = 30_000;
/** Names the locks under which the jobs of a stack are counted and added. */
const ADD_LOCK = 7_205_764;
const EVENTS_PER_PAGE = 500;

const jobRow = z.object({
  responseId: z.string(),
  stackId: z.string(),
  keyId: z.string(),
  holder: z.string(),
  attempts: z.number(),
  streams: z.boolean(),
  request: z.string(),
  echo: z.string(),
  input: z.string(),
  events: wholeNumber,
});
const countRow = z.object({ count: wholeNumber });
const streamsRow = z.object({ streams: z.boolean() });
const pageRow = z.object({ hasEvents: z.boolean(), hasEnded: z.boolean(), event: z.string().nullable() });

export interface SqlResponseQueueOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly retentionDays: number;
  readonly leaseMs?: number;
}

/** The queue of background responses in the database. Every change checks that the job is still held. */
export class SqlResponseQueue implements ResponseQueue {
  readonly #pool: pg.Pool;
  readonly #parts: ResponseParts;
  readonly #retentionDays: number;
  readonly #leaseMs: number;

  constructor({ pool, blobs, retentionDays, leaseMs = DEFAULT_LEASE_MS }: SqlResponseQueueOptions) {
    this.#pool = pool;
    this.#parts = new ResponseParts(pool, blobs);
    this.#retentionDays = retentionDays;
    this.#leaseMs = leaseMs;
  }

  async add({ response, request, events }: QueuedResponse): Promise<void> {
    const { owner } = response;
    const { id } = response.response;
    const columns = await responseColumns(this.#parts, response.response, response.input);
    const requestPart = await this.#parts.put(JSON.stringify(request));
    await inTransaction(this.#pool, async (client) => {
      await requirePlace(client, owner.stackId);
      await execute(client, insertResponses([{ response, columns }], this.#retentionDays));
      await execute(
        client,
        sql`insert into response_jobs (response_id, stack_id, key_id, request, streams)
          values (${id}, ${owner.stackId}, ${owner.keyId}, ${requestPart}, ${events !== undefined})`,
      );
      await insertEvents(client, id, 0, events ?? []);
      await this.#parts.use(client, [...partsOf(columns), requestPart]);
    });
  }

  async take(): Promise<ResponseJob | undefined> {
    const query = prepared(
      'take_response_job',
      sql`with taken as (select * from take_response_job(${randomUUID()}, ${this.#leaseMs}, ${MOST_RUNNING_PER_STACK})),
        begun as (update responses set status = 'in_progress' from taken where id = taken.response_id)
        select taken.response_id, taken.stack_id, taken.key_id, holder, attempts, streams, request, echo, input,
          (select count(*) from response_events where response_id = taken.response_id) as events
        from taken join responses on id = taken.response_id`,
    );
    const row = await findRow(this.#pool, jobRow, query);
    if (row === undefined) return undefined;
    const { request, echo, input, ...job } = row;
    const [fields, queued, items] = await Promise.all([
      this.#parts.get(request),
      this.#parts.get(echo),
      this.#parts.getList(input),
    ]);
    return { ...job, body: { ...JSON.parse(fields), input: items }, queued: joinResponse(queued, NO_OUTPUT) };
  }

  async renew(job: ResponseJob): Promise<void> {
    await this.#change(job, sql`lease_until = now() + make_interval(secs => ${this.#leaseMs} / 1000.0)`);
  }

  async addEvents(job: ResponseJob, before: number, events: readonly string[]): Promise<void> {
    const held = sql`select response_id from response_jobs where ${isHeld(job)} for share`;
    const added = await execute(this.#pool, eventInsertion(held, before, events));
    if (added !== events.length) throw new ResponseJobLost();
  }

  async finish(job: ResponseJob, before: number, finished: FinishedResponse): Promise<void> {
    const { response, events, conversation } = finished;
    const columns = await answerColumns(this.#parts, writtenResponse(response));
    const items = await itemColumns(this.#parts, conversation?.items ?? []);
    const finishing = inTransaction(this.#pool, async (client) => {
      const held = await execute(client, sql`delete from response_jobs where ${isHeld(job)}`);
      if (held === 0) throw new ResponseJobLost();
      await execute(client, updateResponse(response, columns));
      await execute(client, insertOutputItems(job.stackId, response));
      await insertEvents(client, response.id, before, events);
      if (conversation !== undefined) {
        const target = { id: conversation.id, stackId: job.stackId, retentionDays: this.#retentionDays };
        await appendToConversation(client, target, items);
      }
      await this.#parts.use(client, [columns.echo, columns.output, ...items.map(({ item }) => item)]);
    });
    await orDatabaseAway(finishing);
  }

  async giveBack(job: ResponseJob): Promise<void> {
    const waiting = sql`holder = null, lease_until = null, attempts = greatest(attempts - 1, 0)`;
    await inTransaction(this.#pool, async (client) => {
      const held = await execute(client, sql`update response_jobs set ${waiting} where ${isHeld(job)}`);
      if (held === 0) throw new ResponseJobLost();
      await execute(client, sql`update responses set status = 'queued' where id = ${job.responseId}`);
    });
  }

  async cancel(stackId: string, id: string, event: (sequence: number) => string): Promise<boolean> {
    const cancelling = inTransaction(this.#pool, async (client) => {
      const removal = sql`delete from response_jobs where response_id = ${id} and stack_id = ${stackId} returning streams`;
      const job = await findRow(client, streamsRow, removal);
      if (job === undefined) return false;
      await execute(client, sql`update responses set status = 'cancelled' where id = ${id}`);
      if (!job.streams) return true;
      const count = sql`select count(*) from response_events where response_id = ${id}`;
      const { count: sequence } = await queryRow(client, countRow, count);
      await insertEvents(client, id, sequence, [event(sequence)]);
      return true;
    });
    return await orDatabaseAway(cancelling);
  }

  async readEvents(stackId: string, id: string, after: number): Promise<EventPage | undefined> {
    const query = prepared(
      'read_response_events',
      sql`select status not in ('queued', 'in_progress') as has_ended,
          exists (select from response_events where response_id = responses.id) as has_events, event
        from responses left join response_events on response_id = responses.id and sequence > ${after}
        where ${isThere(stackId, id)} order by sequence limit ${EVENTS_PER_PAGE}`,
    );
    const rows = await orDatabaseAway(queryRows(this.#pool, pageRow, query));
    const [first] = rows;
    if (first === undefined) return undefined;
    const { hasEnded, hasEvents } = first;
    return { hasEnded, hasEvents, events: rows.flatMap(({ event }) => event ?? []) };
  }

  async #change(job: ResponseJob, change: Sql): Promise<void> {
    const changed = await execute(this.#pool, sql`update response_jobs set ${change} where ${isHeld(job)}`);
    if (changed === 0) throw new ResponseJobLost();
  }
}

function isHeld({ responseId, holder }: ResponseJob): Sql {
  return sql`response_id = ${responseId} and holder = ${holder}`;
}

/** Refuses a stack that has too many; part of a transaction, in which no other adds to the same stack. */
async function requirePlace(client: Connection, stackId: string): Promise<void> {
  await execute(client, sql`select pg_advisory_xact_lock(${ADD_LOCK}, hashtext(${stackId}))`);
  const query = sql`select count(*) from response_jobs where stack_id = ${stackId}`;
  const { count } = await queryRow(client, countRow, query);
  if (count < MOST_UNFINISHED_PER_STACK) return;
  const message = `This stack has ${count} responses in the background that have not ended, which is the most.`;
  throw new Fault('too-many-background-responses', message);
}

async function insertEvents(
  client: Connection,
  id: string,
  before: number,
  events: readonly string[],
): Promise<void> {
  if (events.length > 0)
    await execute(client, eventInsertion(sql`select ${id} as response_id`, before, events));
}

/** `target` selects the id of the response. */
function eventInsertion(target: Sql, before: number, events: readonly string[]): Sql {
  return sql`with target as (${target})
    insert into response_events (response_id, sequence, event)
      select response_id, ${before}::integer + place - 1, event
      from target, unnest(${events}::text[]) with ordinality as given (event, place)`;
}
