import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { PageText } from './page-text.ts';

/** Pixels without padding, top row first. */
export interface Raster {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, and perhaps a fourth byte that is ignored. */
  readonly channels: 3 | 4;
}

/** A picture to read: pixels, or the bytes of a file that the engine decodes where a bomb hurts nobody. */
export type OcrPicture =
  | { readonly kind: 'raster'; readonly raster: Raster }
  | { readonly kind: 'encoded'; readonly bytes: Uint8Array };

/** Reads the text in a picture. A picture that cannot be decoded, or that ends the engine, is an `UnreadablePicture`. */
export interface OcrEngine {
  readonly lifecycle: Lifecycle;
  /** How many pictures are read at the same time. */
  readonly parallel: number;
  read(picture: OcrPicture, signal: AbortSignal): Promise<PageText>;
}

/** The picture is at fault, not the engine; the message completes "The image …". */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture';
}
