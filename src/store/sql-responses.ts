import type pg from 'pg';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import type {
  ChainBounds,
  KeptItem,
  NewResponse,
  ResponseChain,
  ResponseStore,
} from '../text/responses/response-store.ts';
import type { ResponseObject } from '../text/wire/responses/response-object.ts';
import { appendToConversation, itemColumns } from './conversation-rows.ts';
import { orDatabaseAway } from './database-errors.ts';
import { GroupedWrites } from './grouped-writes.ts';
import { execute, findRow, queryRows, wholeNumber } from './query.ts';
import { ResponseParts } from './response-parts.ts';
import {
  hasBlobs,
  insertResponses,
  joinResponse,
  partsOf,
  type ResponseRow,
  responseColumns,
} from './response-rows.ts';
import { prepared, type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const bodyRow = z.object({ echo: z.string(), output: z.string() });
const statedRow = bodyRow.extend({ status: z.string() });
const inputRow = z.object({ input: z.string() });
const removedRow = bodyRow.extend(inputRow.shape);
const linkRow = z.object({
  id: z.string(),
  previousId: z.string().nullable(),
  status: z.string(),
  depth: z.number(),
  bytes: wholeNumber,
  input: z.string(),
  output: z.string(),
});
const itemRow = z.object({ itemId: z.string(), position: z.number(), part: z.string() });
const conversationItemRow = z.object({ itemId: z.string(), part: z.string() });

export interface SqlResponsesOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly retentionDays: number;
}

/** Responses as rows; large parts are blobs. A response exists with its row, and is gone with it. */
export class SqlResponses implements ResponseStore {
  readonly #pool: pg.Pool;
  readonly #parts: ResponseParts;
  readonly #retentionDays: number;
  readonly #insertions: GroupedWrites<ResponseRow>;

  constructor({ pool, blobs, retentionDays }: SqlResponsesOptions) {
    this.#pool = pool;
    this.#parts = new ResponseParts(pool, blobs);
    this.#retentionDays = retentionDays;
    this.#insertions = new GroupedWrites(async (rows) => {
      await execute(pool, insertResponses(rows, retentionDays));
    });
  }

  async save(response: NewResponse): Promise<void> {
    const columns = await responseColumns(this.#parts, response.response, response.input);
    const row = { response, columns };
    if (response.conversationId === undefined && !hasBlobs(columns))
      await this.#insertions.add(response.owner.stackId, row);
    else await this.#saveAll(row);
  }

  async find(stackId: string, id: string): Promise<ResponseObject | undefined> {
    const query = prepared(
      'find_response',
      sql`select status, echo, output from responses where ${isThere(stackId, id)}`,
    );
    const row = await orDatabaseAway(findRow(this.#pool, statedRow, query));
    if (row === undefined) return undefined;
    const [echo, output] = await Promise.all([this.#parts.get(row.echo), this.#parts.get(row.output)]);
    // One in the background changes its status without being written again.
    return { ...joinResponse(echo, output), status: row.status };
  }

  async findInput(stackId: string, id: string): Promise<readonly KeptItem[] | undefined> {
    const query = sql`select input from responses where ${isThere(stackId, id)}`;
    const row = await orDatabaseAway(findRow(this.#pool, inputRow, query));
    return row && (await this.#parts.getList(row.input));
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    const removal = sql`delete from responses where ${isThere(stackId, id)} returning echo, input, output`;
    const row = await orDatabaseAway(findRow(this.#pool, removedRow, removal));
    if (row === undefined) return false;
    await this.#parts.drop([row.echo, row.input, row.output]);
    return true;
  }

  async readChain(stackId: string, id: string, bounds: ChainBounds): Promise<ResponseChain> {
    const query = chainQuery(stackId, id, bounds);
    const links = await orDatabaseAway(queryRows(this.#pool, linkRow, query));
    const [oldest] = links;
    const newest = links.at(-1);
    if (oldest === undefined || newest === undefined) return { kind: 'missing', id };
    if (newest.status === 'queued' || newest.status === 'in_progress') return { kind: 'unfinished', id };
    if (oldest.depth > bounds.responses) return { kind: 'too-long' };
    if (oldest.bytes > bounds.bytes) return { kind: 'too-large' };
    if (oldest.previousId !== null) return { kind: 'missing', id: oldest.previousId };
    const items = links.map(async ({ input, output }) => [
      ...(await this.#parts.getList<KeptItem>(input)),
      ...(await this.#parts.getList<KeptItem>(output)),
    ]);
    return { kind: 'whole', items: (await Promise.all(items)).flat() };
  }

  async findItems(stackId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KeptItem>> {
    const found = new Map<string, KeptItem>();
    const rows = await orDatabaseAway(queryRows(this.#pool, itemRow, itemsQuery(stackId, ids)));
    const lists = new Map<string, readonly KeptItem[]>();
    for (const { itemId, position, part } of rows) {
      const list = lists.get(part) ?? (await this.#parts.getList<KeptItem>(part));
      lists.set(part, list);
      const item = list[position];
      if (item !== undefined) found.set(itemId, item);
    }
    const others = ids.filter((id) => !found.has(id));
    if (others.length > 0) await this.#addConversationItems(stackId, others, found);
    return found;
  }

  async #addConversationItems(
    stackId: string,
    ids: readonly string[],
    found: Map<string, KeptItem>,
  ): Promise<void> {
    const query = sql`select item_id, item as part from conversation_items
      join conversations on conversations.id = conversation_id
      where item_id = any (${ids}) and stack_id = ${stackId} and expires_at > now()`;
    for (const { itemId, part } of await orDatabaseAway(queryRows(this.#pool, conversationItemRow, query)))
      found.set(itemId, JSON.parse(await this.#parts.get(part)));
  }

  /** Saves a response with everything around it in one transaction. */
  async #saveAll(row: ResponseRow): Promise<void> {
    const { conversationId, owner, input, response } = row.response;
    const items = conversationId === undefined ? [] : [...input, ...response.output];
    const columns = await itemColumns(this.#parts, items);
    await inTransaction(this.#pool, async (client) => {
      await execute(client, insertResponses([row], this.#retentionDays));
      if (conversationId !== undefined) {
        const target = { id: conversationId, stackId: owner.stackId, retentionDays: this.#retentionDays };
        await appendToConversation(client, target, columns);
      }
      await this.#parts.use(client, [...partsOf(row.columns), ...columns.map(({ item }) => item)]);
    });
  }
}

/** A response that is there for its stack. */
export function isThere(stackId: string, id: string): Sql {
  return sql`id = ${id} and stack_id = ${stackId} and expires_at > now()`;
}

/** Reads from the newest to the oldest, and at most one response beyond the bounds. An expired response is read by its followers. */
function chainQuery(stackId: string, id: string, bounds: ChainBounds): Sql {
  return prepared(
    'response_chain',
    sql`with recursive chain as (
        select id, previous_id, 1 as depth, context_bytes as bytes from responses where ${isThere(stackId, id)}
        union all
        select earlier.id, earlier.previous_id, depth + 1, bytes + earlier.context_bytes
          from chain join responses as earlier on earlier.id = chain.previous_id and earlier.stack_id = ${stackId}
          where depth <= ${bounds.responses} and bytes <= ${bounds.bytes})
      select chain.id, chain.previous_id, status, depth, bytes::bigint, input, output
        from chain join responses on responses.id = chain.id order by depth desc`,
  );
}

/** The newest response that has an item counts. */
function itemsQuery(stackId: string, ids: readonly string[]): Sql {
  return prepared(
    'response_items',
    sql`select distinct on (item_id) item_id, position, case when in_output then output else input end as part
      from response_items join responses on responses.id = response_id
      where response_items.stack_id = ${stackId} and item_id = any (${ids}) and expires_at > now()
      order by item_id, responses.created_at desc`,
  );
}
