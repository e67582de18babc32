import { randomBytes } from 'node:crypto';

const CALL_ID_BYTES = 12;

/** Makes an id for a tool call that has none. */
export function newCallId(): string {
  return `call_${randomBytes(CALL_ID_BYTES).toString('hex')}`;
}
