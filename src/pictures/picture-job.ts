/** What the process for pictures is asked to do. */
export type PictureJob =
  /** Make a clean PNG of a picture that somebody sent. */
  | { readonly type: 'clean'; readonly bytes: Uint8Array }
  /** Make sure that these bytes are a picture of this size, and make a clean PNG of it. */
  | { readonly type: 'verify'; readonly bytes: Uint8Array; readonly size: PictureSize };

/** In pixels, upright. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A PNG, 8-bit RGB, upright, without any chunk that the pixels do not need. */
export interface CleanPicture extends PictureSize {
  readonly type: 'clean';
  readonly png: Uint8Array;
}

/** Why a picture is of no use. */
export interface RefusedPicture {
  readonly type: 'refused';
  /** `format`: no PNG, JPEG or WEBP. `broken`: it cannot be decoded. `pixels`: it has too many. `size`: not the wanted ones. */
  readonly why: 'format' | 'broken' | 'pixels' | 'size';
}

export type PictureResult = CleanPicture | RefusedPicture;

/** How many pixels a megapixel has. */
export const MEGAPIXEL = 1_000_000;
/** A picture with more is not decoded. */
export const MAX_PICTURE_MEGAPIXELS = 40;
