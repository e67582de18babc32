import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { type ItemPage, type ItemQuery, unknownAfter } from '../../text/responses/conversation-store.ts';
import type { KeptItem } from '../../text/responses/response-store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { pageLimit } from './page-limit.ts';

const PAGE = { most: 100, usual: 20 };

/** A list of items, for the API description. */
export const itemListSchema = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

/** The query parameters of item lists. */
export const itemQueryParameters = [
  { name: 'limit', meaning: `Items per page: 1 to ${PAGE.most}, ${PAGE.usual} when absent.` },
  { name: 'order', meaning: '`desc`, the last item first, when absent; or `asc`.' },
  { name: 'after', meaning: 'The `last_id` of the page before.' },
] as const;

/** Reads which items the query string asks for. */
export function itemQuery(query: URLSearchParams): ItemQuery {
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') {
    const message = `\`order\` must be asc or desc, got "${order.slice(0, 50)}".`;
    throw new Fault('invalid-request', message, { param: 'order' });
  }
  const after = query.get('after');
  return { limit: pageLimit(query.get('limit'), PAGE), order, ...(after !== null && { after }) };
}

/** The page of a list that is asked for; an unknown `after` is 400. */
export function pageOf(items: readonly KeptItem[], { limit, order, after }: ItemQuery): ItemPage {
  const ordered = order === 'asc' ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw unknownAfter(after);
  return { items: ordered.slice(start, start + limit), hasMore: ordered.length > start + limit };
}

export function listAnswer({ items, hasMore }: ItemPage): Answer {
  return jsonAnswer({
    object: 'list',
    data: items,
    first_id: items[0]?.id ?? null,
    last_id: items.at(-1)?.id ?? null,
    has_more: hasMore,
  });
}
