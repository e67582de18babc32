import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import {
  type ConversationHistory,
  type ConversationStore,
  type ItemPage,
  type ItemQuery,
  type KeptConversation,
  type Metadata,
  unknownAfter,
} from '../text/responses/conversation-store.ts';
import type { KeptItem, ResponseOwner } from '../text/responses/response-store.ts';
import { appendToConversation, itemColumns } from './conversation-rows.ts';
import { orDatabaseAway } from './database-errors.ts';
import { execute, findRow, queryRow, queryRows, wholeNumber } from './query.ts';
import { ResponseParts } from './response-parts.ts';
import { type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const ID_BYTES = 16;

const conversationRow = z.object({ id: z.string(), metadata: z.string(), createdAt: z.date() });
const sizeRow = z.object({ sizeBytes: wholeNumber });
const itemRow = z.object({ item: z.string() });
const positionRow = z.object({ position: z.string() });

export interface SqlConversationsOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly retentionDays: number;
}

/** Conversations and their items as rows; large items are blobs. */
export class SqlConversations implements ConversationStore {
  readonly #pool: pg.Pool;
  readonly #parts: ResponseParts;
  readonly #retentionDays: number;

  constructor({ pool, blobs, retentionDays }: SqlConversationsOptions) {
    this.#pool = pool;
    this.#parts = new ResponseParts(pool, blobs);
    this.#retentionDays = retentionDays;
  }

  async create(
    { accountId, stackId, keyId }: ResponseOwner,
    { metadata, items }: { readonly metadata: Metadata; readonly items: readonly KeptItem[] },
  ): Promise<KeptConversation> {
    const id = `conv_${randomBytes(ID_BYTES).toString('hex')}`;
    const insertion = sql`insert into conversations (id, account_id, stack_id, key_id, metadata, created_at, expires_at)
      values (${id}, ${accountId}, ${stackId}, ${keyId}, ${JSON.stringify(metadata)},
        date_trunc('milliseconds', now()), now() + make_interval(days => ${this.#retentionDays}))
      returning id, metadata, created_at`;
    const row = await orDatabaseAway(queryRow(this.#pool, conversationRow, insertion));
    if (items.length > 0) await this.append(stackId, id, items);
    return toConversation(row);
  }

  async find(stackId: string, id: string): Promise<KeptConversation | undefined> {
    const query = sql`select id, metadata, created_at from conversations where ${isThere(stackId, id)}`;
    const row = await orDatabaseAway(findRow(this.#pool, conversationRow, query));
    return row && toConversation(row);
  }

  async setMetadata(stackId: string, id: string, metadata: Metadata): Promise<KeptConversation | undefined> {
    const change = sql`update conversations set metadata = ${JSON.stringify(metadata)}
      where ${isThere(stackId, id)} returning id, metadata, created_at`;
    const row = await orDatabaseAway(findRow(this.#pool, conversationRow, change));
    return row && toConversation(row);
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    const items = await orDatabaseAway(queryRows(this.#pool, itemRow, itemsOf(stackId, id)));
    const removal = sql`delete from conversations where ${isThere(stackId, id)}`;
    if ((await orDatabaseAway(execute(this.#pool, removal))) === 0) return false;
    await this.#parts.drop(items.map(({ item }) => item));
    return true;
  }

  async append(stackId: string, id: string, items: readonly KeptItem[]): Promise<void> {
    const columns = await itemColumns(this.#parts, items);
    const target = { id, stackId, retentionDays: this.#retentionDays };
    await orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        await appendToConversation(client, target, columns);
        await this.#parts.use(
          client,
          columns.map(({ item }) => item),
        );
      }),
    );
  }

  async readHistory(stackId: string, id: string, mostBytes: number): Promise<ConversationHistory> {
    const size = sql`select size_bytes from conversations where ${isThere(stackId, id)}`;
    const row = await orDatabaseAway(findRow(this.#pool, sizeRow, size));
    if (row === undefined) return { kind: 'missing' };
    if (row.sizeBytes > mostBytes) return { kind: 'too-large' };
    const items = sql`${itemsOf(stackId, id)} order by position`;
    return { kind: 'whole', items: await this.#items(items) };
  }

  async listItems(stackId: string, id: string, query: ItemQuery): Promise<ItemPage | undefined> {
    if ((await this.find(stackId, id)) === undefined) return undefined;
    const { limit, order, after } = query;
    const start = after === undefined ? undefined : await this.#position(id, after);
    const direction = order === 'asc' ? sql`asc` : sql`desc`;
    const isBehind = order === 'asc' ? sql`>` : sql`<`;
    const rest = start === undefined ? sql`true` : sql`position ${isBehind} ${start}::bigint`;
    const statement = sql`${itemsOf(stackId, id)} and ${rest} order by position ${direction} limit ${limit + 1}`;
    const items = await this.#items(statement);
    return { items: items.slice(0, limit), hasMore: items.length > limit };
  }

  async findItem(stackId: string, id: string, itemId: string): Promise<KeptItem | undefined> {
    const [item] = await this.#items(sql`${itemsOf(stackId, id)} and item_id = ${itemId}`);
    return item;
  }

  async removeItem(stackId: string, id: string, itemId: string): Promise<boolean> {
    const removal = sql`with removed as (
        delete from conversation_items using conversations
        where conversations.id = conversation_id and item_id = ${itemId} and ${isThere(stackId, id)}
        returning item, conversation_items.size_bytes)
      update conversations set size_bytes = conversations.size_bytes - removed.size_bytes
      from removed where id = ${id} returning removed.item`;
    const row = await orDatabaseAway(findRow(this.#pool, itemRow, removal));
    if (row === undefined) return false;
    await this.#parts.drop([row.item]);
    return true;
  }

  async #items(statement: Sql): Promise<readonly KeptItem[]> {
    const rows = await orDatabaseAway(queryRows(this.#pool, itemRow, statement));
    return await Promise.all(rows.map(async ({ item }) => JSON.parse(await this.#parts.get(item))));
  }

  async #position(conversationId: string, itemId: string): Promise<string> {
    const query = sql`select position from conversation_items
      where conversation_id = ${conversationId} and item_id = ${itemId}`;
    const row = await orDatabaseAway(findRow(this.#pool, positionRow, query));
    if (row === undefined) throw unknownAfter(itemId);
    return row.position;
  }
}

function itemsOf(stackId: string, id: string): Sql {
  return sql`select item from conversation_items join conversations on conversations.id = conversation_id
    where ${isThere(stackId, id)}`;
}

function isThere(stackId: string, id: string): Sql {
  return sql`conversations.id = ${id} and stack_id = ${stackId} and expires_at > now()`;
}

function toConversation({ metadata, ...row }: z.infer<typeof conversationRow>): KeptConversation {
  return { ...row, metadata: JSON.parse(metadata) };
}
