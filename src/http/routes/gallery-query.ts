import { Fault } from '../../faults/fault.ts';
import type { GalleryQuery } from '../../images/gallery.ts';
import { pageLimit } from './page-limit.ts';

/** The most images on one page. */
export const MAXIMUM_PAGE = 100;

const DEFAULT_PAGE = 20;
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads the page of images that the query string asks for. */
export function galleryQuery(query: URLSearchParams): Omit<GalleryQuery, 'stackId'> {
  const keyId = query.get('key');
  const cursor = query.get('cursor');
  const createdFrom = momentOf(query, 'created_from');
  const createdBefore = momentOf(query, 'created_before');
  return {
    limit: pageLimit(query.get('limit'), { most: MAXIMUM_PAGE, usual: DEFAULT_PAGE }),
    ...(keyId !== null && { keyId }),
    ...(cursor !== null && { cursor }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdBefore !== undefined && { createdBefore }),
  };
}

function momentOf(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const moment = new Date(text);
  if (MOMENT.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw invalid(name, 'an ISO 8601 time such as 2026-01-31T12:00:00Z', text);
}

function invalid(param: string, expected: string, got: string): Fault {
  return new Fault('invalid-request', `\`${param}\` must be ${expected}, got "${got.slice(0, 50)}".`, {
    param,
  });
}
