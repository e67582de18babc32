import sharp, { type Sharp } from 'sharp';
import { type Raster, UnreadablePicture } from '../ocr-engine.ts';

/** Three bytes per pixel. */
export interface RgbRaster extends Raster {
  readonly channels: 3;
}

/** Above every plan's limit, below what could exhaust memory. */
export const MAX_IMAGE_PIXELS = 60_000_000;
const ACCEPTED: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif']);
const INPUT = { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', pages: 1 } as const;

/**
 * Decodes an image file to 8-bit RGB: first frame, EXIF orientation applied, on white. The header is checked before any pixel is
 * decoded, so a small file that claims to be huge costs nothing.
 */
export async function decodeImage(bytes: Uint8Array): Promise<RgbRaster> {
  try {
    const { format } = await sharp(bytes, INPUT).metadata();
    if (format === undefined || !ACCEPTED.has(format)) throw new Error(`${format} is not read`);
    return await toRaster(sharp(bytes, INPUT).rotate());
  } catch (error) {
    throw new UnreadablePicture('cannot be decoded; it is damaged, cut off or too large', { cause: error });
  }
}

export function resized(raster: RgbRaster, width: number, height: number): Promise<RgbRaster> {
  return toRaster(asSharp(raster).resize(width, height, { fit: 'fill', kernel: 'linear' }));
}

/** Rotates by 90 degrees, clockwise. */
export function turnedByQuarter(raster: RgbRaster): Promise<RgbRaster> {
  return toRaster(asSharp(raster).rotate(90));
}

/** Drops the fourth byte. */
export async function withoutAlpha(raster: Raster): Promise<RgbRaster> {
  const { data, width, height, channels } = raster;
  if (channels === 3) return { data, width, height, channels };
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = data[from] ?? 0;
    rgb[to + 1] = data[from + 1] ?? 0;
    rgb[to + 2] = data[from + 2] ?? 0;
  }
  return { data: rgb, width, height, channels: 3 };
}

function asSharp({ data, width, height }: RgbRaster): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function toRaster(pipeline: Sharp): Promise<RgbRaster> {
  const rgb = pipeline.flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha();
  const { data, info } = await rgb.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels === 3) return { data, width, height, channels };
  if (channels !== 1) throw new TypeError(`${channels} channels are not three`);
  return { data: tripled(data), width, height, channels: 3 };
}

function tripled(grey: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(grey.length * 3);
  for (const [index, value] of grey.entries()) rgb.fill(value, index * 3, index * 3 + 3);
  return rgb;
}
