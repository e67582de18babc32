import { Fault } from '../faults/fault.ts';
import { isImageId } from './image-id.ts';

/** Where a page of images ended. */
export interface GalleryPosition {
  readonly createdAt: Date;
  readonly id: string;
}

// The last moment that a Date can hold has 16 digits.
const PATTERN = /^(\d{1,16})\.(img_[0-9a-f]{32})$/;

/** The position as a text that a client hands back. */
export function cursorOf({ createdAt, id }: GalleryPosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** The position that a client handed back; throws the fault that tells it so when it is none of ours. */
export function parseCursor(cursor: string): GalleryPosition {
  const [, createdMs, id] = PATTERN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const createdAt = new Date(Number(createdMs));
  if (id === undefined || !isImageId(id) || Number.isNaN(createdAt.getTime())) {
    throw new Fault('invalid-request', '`cursor` must be the `next_cursor` of an earlier page.', {
      param: 'cursor',
    });
  }
  return { createdAt, id };
}
