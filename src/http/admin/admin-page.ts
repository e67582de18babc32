import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { tryParseJson } from '../../lib/json-record.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { wholeNumberIn } from '../query-values.ts';
import type { RouteParameter } from '../route.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** A page of a list that was asked for. */
export interface AskedPage {
  readonly limit: number;
  /** Where the page before ended: the parts of the cursor. */
  readonly after: readonly string[] | undefined;
}

/** The parameters of every list. */
export const pageParameters: readonly RouteParameter[] = [
  { name: 'limit', meaning: `How many, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when absent.` },
  { name: 'cursor', meaning: 'The `next_cursor` of the page before.' },
];

/** The schema of a list. */
export function listSchema(element: z.ZodType) {
  return z.object({
    data: z.array(element),
    next_cursor: z.string().nullable().describe('null: there is no further page.'),
  });
}

/** Reads `limit` and `cursor`, which has as many parts as the list is ordered by. */
export function readPage(query: URLSearchParams, cursorParts: number): AskedPage {
  const cursor = query.get('cursor');
  return {
    limit: wholeNumberIn(query, 'limit', { from: 1, to: MAX_LIMIT }) ?? DEFAULT_LIMIT,
    after: cursor === null ? undefined : readCursor(cursor, cursorParts),
  };
}

/** How a row is rendered, and where a page that ends with it is continued. */
interface RowView<Row, View> {
  readonly view: (row: Row) => View;
  readonly cursor: (row: Row) => readonly string[];
}

/** The list of a page of rows, which has one row more than asked for if another page follows. */
export function pageOf<Row, View>(
  rows: readonly Row[],
  { limit }: Pick<AskedPage, 'limit'>,
  { view, cursor }: RowView<Row, View>,
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > page.length && last !== undefined ? writeCursor(cursor(last)) : null;
  return { data: page.map(view), next_cursor: nextCursor };
}

/** Answers with such a list. */
export function pageAnswer<Row>(
  rows: readonly Row[],
  page: Pick<AskedPage, 'limit'>,
  view: RowView<Row, unknown>,
): Answer {
  return jsonAnswer(pageOf(rows, page, view));
}

function writeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

// PostgreSQL has no NUL in texts.
const cursorSchema = z.array(z.string().refine((part) => !part.includes('\0')));

function readCursor(text: string, count: number): readonly string[] {
  const parts = cursorSchema.safeParse(tryParseJson(Buffer.from(text, 'base64url').toString()));
  if (parts.success && parts.data.length === count) return parts.data;
  throw wrongCursor();
}

/** The refusal of a cursor that no list has given. */
export function wrongCursor(): Fault {
  return new Fault('invalid-request', '`cursor` must be a `next_cursor` of this list.', { param: 'cursor' });
}
