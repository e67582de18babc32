import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { pngChunk, pngSignature } from './png-chunks.ts';

/** Hidden in every metadata field of a picture. */
export const SECRET = 'secret-place-48.8584N';

const size = { width: 64, height: 48 };
const halfRed = { r: 255, g: 0, b: 0, alpha: 0.5 };
const plain = (channels: 3 | 4 = 3) => sharp({ create: { ...size, channels, background: halfRed } });

/** A picture with a red left and a blue right half, which shows its orientation. */
async function twoHalves(): Promise<Sharp> {
  const right = await sharp({ create: { width: 32, height: 48, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  return sharp({ create: { ...size, channels: 3, background: 'red' } }).composite([
    { input: right, left: 32, top: 0 },
  ]);
}

const exif = {
  IFD0: { Copyright: SECRET, ImageDescription: SECRET },
  IFD3: { GPSLatitudeRef: 'N', GPSAreaInformation: SECRET },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`;

const told = async (picture: Sharp) =>
  picture.withExif(exif).withXmp(xmp).withIccProfile('p3', { attach: true });

/** Pictures of 64 × 48 pixels, by their peculiarity. */
export const pictures = {
  png: () => plain().png().toBuffer(),
  jpeg: () => plain().jpeg().toBuffer(),
  webp: () => plain().webp().toBuffer(),
  translucentPng: () => plain(4).png().toBuffer(),
  translucentWebp: () => plain(4).webp({ lossless: true }).toBuffer(),
  palettePng: () => plain(4).png({ palette: true }).toBuffer(),
  greyPng: () => plain().toColourspace('b-w').png().toBuffer(),
  greyJpeg: () => plain().toColourspace('b-w').jpeg().toBuffer(),
  deepPng: () => plain().toColourspace('rgb16').png().toBuffer(),
  interlacedPng: () => plain().png({ progressive: true }).toBuffer(),
  cmykJpeg: () => plain().toColourspace('cmyk').jpeg().toBuffer(),
  animatedWebp: async () =>
    sharp([await plain().png().toBuffer(), await plain(4).png().toBuffer()], { join: { animated: true } })
      .webp()
      .toBuffer(),
  talkativePng: async () => withPngTexts(await (await told(plain())).png().toBuffer()),
  talkativeJpeg: async () => (await told(plain())).jpeg().toBuffer(),
  talkativeWebp: async () => (await told(plain())).webp().toBuffer(),
} satisfies Record<string, () => Promise<Buffer>>;

/** Stored rotated: 48 × 64 when upright, red above and blue below. */
export async function turnedJpeg(): Promise<Buffer> {
  return (await twoHalves())
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Orientation: '6' } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Files that are not pictures, or of unsupported formats. */
export const strangers = {
  nothing: async () => Buffer.alloc(0),
  text: async () => Buffer.from('no picture at all'),
  gif: () => plain().gif().toBuffer(),
  tiff: () => plain().tiff().toBuffer(),
  avif: () => plain().avif().toBuffer(),
  svg: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"/>'),
  pdf: async () => Buffer.from('%PDF-1.7\n'),
} satisfies Record<string, () => Promise<Buffer>>;

/** A black picture with one bit per pixel: few bytes, many pixels. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Random pixels, which do not compress. */
export async function noise(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    pixels[at] = state >>> 24;
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  return format === 'png' ? picture.png({ compressionLevel: 1 }).toBuffer() : picture.jpeg().toBuffer();
}

/** Puts text, time and private chunks between header and pixels, and bytes after the end. */
function withPngTexts(png: Buffer): Buffer {
  const headerEnd = 8 + 25;
  return Buffer.concat([
    png.subarray(0, headerEnd),
    pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`)),
    pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)),
    pngChunk('prVt', Buffer.from(SECRET)),
    png.subarray(headerEnd),
    Buffer.from(SECRET),
  ]);
}
