import { Fault } from '../../faults/fault.ts';
import { isFileId } from '../file-id.ts';
import type { FileQuery } from '../file-store.ts';
import { readPurpose } from './read-file-form.ts';

/** The largest `limit`; clients of the vendor ask for that many. */
export const MAX_LIMIT = 10_000;
/** Files on one page; a client that asks for more gets `has_more`. */
export const MAX_PAGE = 1_000;

/** Reads the page of files that the query string asks for. */
export function fileQuery(query: URLSearchParams): Omit<FileQuery, 'stackId'> {
  const purpose = query.get('purpose');
  const after = query.get('after');
  if (after !== null && !isFileId(after)) throw invalid('after', 'the id of a file', after);
  return {
    limit: limitOf(query.get('limit')),
    order: orderOf(query.get('order')),
    ...(purpose !== null && { purpose: readPurpose(purpose) }),
    ...(after !== null && { after }),
  };
}

function limitOf(text: string | null): number {
  if (text === null) return MAX_PAGE;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return Math.min(limit, MAX_PAGE);
  throw invalid('limit', `an integer from 1 to ${MAX_LIMIT}`, text);
}

function orderOf(text: string | null): FileQuery['order'] {
  if (text === null || text === 'desc') return 'newest';
  if (text === 'asc') return 'oldest';
  throw invalid('order', '`asc` or `desc`', text);
}

function invalid(param: string, expected: string, got: string): Fault {
  return new Fault('invalid-request', `\`${param}\` must be ${expected}, got "${got.slice(0, 50)}".`, {
    param,
  });
}
