import { Fault } from '../faults/fault.ts';

/** Where a page of documents ended, as a text that a client hands back. */
export function cursorOf(lastName: string): string {
  return Buffer.from(lastName).toString('base64url');
}

/** The name after which the next page begins; throws the fault that tells a client so when the cursor is none of ours. */
export function parseCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name !== '' && !name.includes('\0') && cursorOf(name) === cursor) return name;
  throw new Fault('invalid-request', '`cursor` must be the `next_cursor` of an earlier page.', {
    param: 'cursor',
  });
}
