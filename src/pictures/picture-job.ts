/** A job for the picture process. */
export type PictureJob =
  /** Turns an uploaded picture into a clean PNG. */
  | { readonly type: 'clean'; readonly bytes: Uint8Array }
  /** Verifies that the bytes are a picture of this size, and returns a clean PNG. */
  | { readonly type: 'verify'; readonly bytes: Uint8Array; readonly size: PictureSize }
  /** A smaller copy to look at. */
  | { readonly type: 'preview'; readonly bytes: Uint8Array; readonly longerSide?: number };

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** An upright 8-bit RGB PNG without unnecessary chunks. */
export interface CleanPicture extends PictureSize {
  readonly type: 'clean';
  readonly png: Uint8Array;
}

/** A copy of a picture that is small enough to be part of a message. */
export interface PicturePreview extends PictureSize {
  readonly type: 'preview';
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

/** Why a picture was refused. */
export interface RefusedPicture {
  readonly type: 'refused';
  /** `format`: not PNG, JPEG or WEBP. `broken`: cannot be decoded. `pixels`: too many. `size`: not the wanted one. */
  readonly why: 'format' | 'broken' | 'pixels' | 'size';
}

export type PictureResult = CleanPicture | RefusedPicture;

/** The longer side of a preview, in pixels. */
export const MAX_PREVIEW_PIXELS = 1_024;
export const MAX_PREVIEW_BYTES = 700 * 1_024;

/** How many pixels a megapixel has. */
export const MEGAPIXEL = 1_000_000;
/** A picture with more is not decoded. */
export const MAX_PICTURE_MEGAPIXELS = 40;
