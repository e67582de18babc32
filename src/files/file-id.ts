import { randomBytes } from 'node:crypto';

/** Two random digits, the time in milliseconds, and random digits. */
const PATTERN = /^file_[0-9a-f]{2}([0-9a-f]{12})[0-9a-f]{18}$/;
const TIME_DIGITS = 12;

/** A new, unguessable file id. It holds its time, so that a list can go on after a file that was deleted meanwhile. */
export function newFileId(nowMs: number): string {
  const random = randomBytes(10).toString('hex');
  const time = Math.floor(nowMs).toString(16).padStart(TIME_DIGITS, '0');
  return `file_${random.slice(0, 2)}${time}${random.slice(2)}`;
}

/** Whether the text has the form of a file id. */
export function isFileId(text: string): boolean {
  return PATTERN.test(text);
}

/** The time in a file id; undefined for any other text. */
export function createdAtOf(id: string): Date | undefined {
  const time = PATTERN.exec(id)?.[1];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 16));
}
