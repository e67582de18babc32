import { Fault } from '../faults/fault.ts';
import { isImageId } from './image-id.ts';

/** The last image of a page. */
export interface GalleryPosition {
  readonly createdAt: Date;
  readonly id: string;
}

// The latest Date has 16 digits.
const PATTERN = /^(\d{1,16})\.(img_[0-9a-f]{32})$/;

/** An opaque cursor. */
export function cursorOf({ createdAt, id }: GalleryPosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** Parses a cursor; throws a fault if it is malformed. */
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
