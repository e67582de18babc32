import { Fault } from '../../faults/fault.ts';

/** The page size that the query string asks for. */
export function pageLimit(
  text: string | null,
  { most, usual }: { readonly most: number; readonly usual: number },
): number {
  if (text === null) return usual;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  const message = `\`limit\` must be an integer from 1 to ${most}, got "${text.slice(0, 50)}".`;
  throw new Fault('invalid-request', message, { param: 'limit' });
}
