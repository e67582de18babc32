import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { PageText } from './page-text.ts';

/** Pixels without padding, top row first. */
export interface Raster {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** RGB, with an optional fourth byte that is ignored. */
  readonly channels: 3 | 4;
}

/** Shallow check of a message from another process. */
export function isRaster(value: unknown): value is Raster {
  if (typeof value !== 'object' || value === null) return false;
  if (!('data' in value && 'width' in value && 'height' in value && 'channels' in value)) return false;
  const { data, width, height, channels } = value;
  if (!(data instanceof Uint8Array) || (channels !== 3 && channels !== 4)) return false;
  return Number(width) * Number(height) * channels === data.length;
}

/** Pixels, or an image file, which is decoded inside the engine so that a decompression bomb does no harm. */
export type OcrPicture =
  | { readonly kind: 'raster'; readonly raster: Raster }
  | { readonly kind: 'encoded'; readonly bytes: Uint8Array };

/** Parses a message; undefined if it is not a picture. */
export function parseOcrPicture(message: unknown): OcrPicture | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('raster' in message && isRaster(message.raster)) return { kind: 'raster', raster: message.raster };
  if ('bytes' in message && message.bytes instanceof Uint8Array)
    return { kind: 'encoded', bytes: message.bytes };
  return undefined;
}

/** Reads the text in a picture. Throws `UnreadablePicture` for one that cannot be decoded or crashes the engine. */
export interface OcrEngine {
  readonly lifecycle: Lifecycle;
  /** Pictures read concurrently. */
  readonly parallel: number;
  read(picture: OcrPicture, work: StackWork): Promise<PageText>;
}

/** The picture is at fault, not the engine; the message completes "The image …". */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture';
}
