import { z } from 'zod';
import { type ItemPage, type ItemQuery, unknownAfter } from '../../text/responses/conversation-store.ts';
import type { KeptItem } from '../../text/responses/response-store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { wholeNumberIn, wordIn } from '../query-values.ts';

const PAGE = { from: 1, to: 100 };
const USUAL_PAGE = 20;

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
  { name: 'limit', meaning: `Items per page: 1 to ${PAGE.to}, ${USUAL_PAGE} when absent.` },
  { name: 'order', meaning: '`desc`, the last item first, when absent; or `asc`.' },
  { name: 'after', meaning: 'The `last_id` of the page before.' },
] as const;

/** Reads which items the query string asks for. */
export function itemQuery(query: URLSearchParams): ItemQuery {
  const order = wordIn(query, 'order', ['desc', 'asc']);
  const after = query.get('after');
  const limit = wholeNumberIn(query, 'limit', PAGE) ?? USUAL_PAGE;
  return { limit, order, ...(after !== null && { after }) };
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
