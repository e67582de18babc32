import { conversationNotFound } from '../text/responses/conversation-store.ts';
import type { KeptItem } from '../text/responses/response-store.ts';
import { type Connection, execute } from './query.ts';
import type { ResponseParts } from './response-parts.ts';
import { sql } from './sql.ts';

/** The columns of an item of a conversation. */
export interface ItemColumns {
  readonly itemId: string;
  readonly item: string;
  readonly sizeBytes: number;
}

/** Writes items as columns, large ones into the blob store. */
export function itemColumns(
  parts: ResponseParts,
  items: readonly KeptItem[],
): Promise<readonly ItemColumns[]> {
  const byId = new Map(items.map((item) => [item.id, item]));
  return Promise.all(
    Array.from(byId.values(), async (item) => {
      const text = JSON.stringify(item);
      return { itemId: item.id, item: await parts.put(text), sizeBytes: Buffer.byteLength(text) };
    }),
  );
}

/** Appends items to a conversation of the stack, which is kept longer for that; part of a transaction. */
export async function appendToConversation(
  connection: Connection,
  { id, stackId, retentionDays }: { id: string; stackId: string; retentionDays: number },
  items: readonly ItemColumns[],
): Promise<void> {
  const sizeBytes = items.reduce((sum, item) => sum + item.sizeBytes, 0);
  // The lock on the row puts appends that come at the same time one after the other.
  const changed = await execute(
    connection,
    sql`update conversations set size_bytes = size_bytes + ${sizeBytes},
        expires_at = now() + make_interval(days => ${retentionDays})
      where id = ${id} and stack_id = ${stackId} and expires_at > now()`,
  );
  if (changed === 0) throw conversationNotFound(id);
  await execute(
    connection,
    sql`insert into conversation_items (conversation_id, item_id, item, size_bytes)
      select ${id}, item_id, item, size_bytes
      from unnest(${items.map(({ itemId }) => itemId)}::text[], ${items.map(({ item }) => item)}::text[],
        ${items.map((item) => item.sizeBytes)}::bigint[]) with ordinality as given (item_id, item, size_bytes, place)
      order by place
      on conflict (conversation_id, item_id) do update set item = excluded.item, size_bytes = excluded.size_bytes`,
  );
}
