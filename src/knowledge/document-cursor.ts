import { Fault } from '../faults/fault.ts';

/** An opaque cursor for the page after this name. */
export function cursorOf(lastName: string): string {
  return Buffer.from(lastName).toString('base64url');
}

/** The name the next page starts after; throws a fault if the cursor is malformed. */
export function parseCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name !== '' && !name.includes('\0') && cursorOf(name) === cursor) return name;
  throw new Fault('invalid-request', '`cursor` must be the `next_cursor` of an earlier page.', {
    param: 'cursor',
  });
}
