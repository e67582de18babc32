import { randomBytes } from 'node:crypto';

const CALL_ID_BYTES = 12;

/** The id of a tool call to which nobody else gives one. */
export function newCallId(): string {
  return `call_${randomBytes(CALL_ID_BYTES).toString('hex')}`;
}
