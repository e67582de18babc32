import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { barePng } from './bare-png.ts';
import { pictureFormat } from './picture-format.ts';
import {
  MAX_PICTURE_MEGAPIXELS,
  MAX_PREVIEW_BYTES,
  MAX_PREVIEW_PIXELS,
  MEGAPIXEL,
  type PictureJob,
  type PicturePreview,
  type PictureResult,
  type PictureSize,
  type RefusedPicture,
} from './picture-job.ts';

/** References are scaled down to this: the largest painting has 1,572,864 pixels. */
export const MAX_REFERENCE_PIXELS = 2_048 * 2_048;

// References are temporary; paintings are stored for a month.
const FAST_COMPRESSION = 2;
const STORED_COMPRESSION = 6;
const MAX_PIXELS = MAX_PICTURE_MEGAPIXELS * MEGAPIXEL;
const DECODING: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 };
/** The last one makes at most 300 KB of noise. */
const PREVIEW_QUALITIES = [85, 60, 20];
const loaders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'];

/** Bounds the library's resources, and disables all formats but three. */
export function boundLibrary(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
}

/** Throws only on bugs; a bad picture is a result. */
export async function doPictureJob(job: PictureJob): Promise<PictureResult | PicturePreview> {
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength);
  if (pictureFormat(bytes) === undefined) return refused('format');
  const metadata = await readMetadata(bytes);
  if (metadata === undefined) return refused('broken');
  const size = uprightSize(metadata);
  if (size.width * size.height > MAX_PIXELS) return refused('pixels');
  try {
    switch (job.type) {
      case 'clean':
        return await cleanReference(bytes, size);
      case 'verify':
        return await verify(bytes, size, job.size);
      case 'preview':
        return await preview(bytes, size, job.longerSide);
    }
  } catch {
    return refused('broken');
  }
}

/** From the header alone; nothing is decoded. */
async function readMetadata(bytes: Buffer): Promise<Metadata | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata();
  } catch {
    return undefined;
  }
}

function uprightSize({ autoOrient }: Metadata): PictureSize {
  return { width: autoOrient.width, height: autoOrient.height };
}

async function cleanReference(bytes: Buffer, size: PictureSize): Promise<PictureResult> {
  return await encode(scaledDown(toRgb(bytes), size), FAST_COMPRESSION);
}

/** An 8-bit RGB PNG keeps its compressed pixels; decoding verifies them. */
async function verify(bytes: Buffer, actual: PictureSize, wanted: PictureSize): Promise<PictureResult> {
  if (actual.width !== wanted.width || actual.height !== wanted.height) return refused('size');
  const bare = barePng(bytes);
  if (bare === undefined) return await encode(toRgb(bytes), STORED_COMPRESSION);
  await sharp(bare, DECODING).raw().toBuffer();
  return { type: 'clean', png: bare, ...actual };
}

/** A small PNG stays as it is; any other picture becomes a JPEG, with more loss until it is small enough. */
async function preview(bytes: Buffer, size: PictureSize, side = MAX_PREVIEW_PIXELS): Promise<PicturePreview> {
  const isSmall = bytes.length <= MAX_PREVIEW_BYTES && Math.max(size.width, size.height) <= side;
  if (isSmall && pictureFormat(bytes) === 'png')
    return { type: 'preview', bytes, mediaType: 'image/png', ...size };
  const small = toRgb(bytes).resize(side, side, { fit: 'inside', withoutEnlargement: true });
  for (const quality of PREVIEW_QUALITIES) {
    const { data, info } = await small.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true });
    if (data.length > MAX_PREVIEW_BYTES) continue;
    return { type: 'preview', bytes: data, mediaType: 'image/jpeg', width: info.width, height: info.height };
  }
  throw new Error('no quality makes the picture small enough');
}

/** Upright, on white, in sRGB, without metadata. */
function toRgb(bytes: Buffer): Sharp {
  return sharp(bytes, DECODING)
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha();
}

function scaledDown(picture: Sharp, { width, height }: PictureSize): Sharp {
  const scale = Math.sqrt(MAX_REFERENCE_PIXELS / (width * height));
  if (scale >= 1) return picture;
  return picture.resize(atLeastOne(width * scale), atLeastOne(height * scale), { fit: 'fill' });
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.floor(pixels));
}

async function encode(picture: Sharp, compressionLevel: number): Promise<PictureResult> {
  const { data, info } = await picture
    .png({ compressionLevel, palette: false })
    .toBuffer({ resolveWithObject: true });
  const png = barePng(data);
  if (png === undefined) throw new Error('the library wrote no 8-bit RGB PNG');
  return { type: 'clean', png, width: info.width, height: info.height };
}

function refused(why: RefusedPicture['why']): RefusedPicture {
  return { type: 'refused', why };
}
