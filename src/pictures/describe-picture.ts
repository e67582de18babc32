import type { PictureSize } from './picture-job.ts';

/** Facts from a picture's header. */
export interface PictureFacts {
  readonly format: 'PNG' | 'JPEG' | 'WEBP' | 'GIF';
  /** Before EXIF orientation; undefined if the header is cut off or makes no sense. */
  readonly size: PictureSize | undefined;
}

/** For example `PNG 800×600`; `undefined` for an unknown format. */
export function describePicture(head: Buffer): string | undefined {
  const facts = pictureFacts(head);
  if (facts === undefined) return undefined;
  return facts.size === undefined ? facts.format : `${facts.format} ${facts.size.width}×${facts.size.height}`;
}

/** Parses the header; nothing is decoded. */
export function pictureFacts(head: Buffer): PictureFacts | undefined {
  const [format, measure] = formats.find(([, , isFormat]) => isFormat(head)) ?? [];
  if (format === undefined || measure === undefined) return undefined;
  return { format, size: measure(head) };
}

const ascii = (head: Buffer, from: number, to: number) => head.subarray(from, to).toString('latin1');

const formats: readonly (readonly [
  PictureFacts['format'],
  (head: Buffer) => PictureSize | undefined,
  (head: Buffer) => boolean,
])[] = [
  ['PNG', pngSize, (head) => ascii(head, 1, 4) === 'PNG'],
  ['JPEG', jpegSize, (head) => head[0] === 0xff && head[1] === 0xd8],
  ['WEBP', webpSize, (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP'],
  ['GIF', gifSize, (head) => ascii(head, 0, 3) === 'GIF'],
];

function pngSize(head: Buffer): PictureSize | undefined {
  if (head.length < 24) return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gifSize(head: Buffer): PictureSize | undefined {
  if (head.length < 10) return undefined;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** Walks the segments to the frame header, which has the size. */
function jpegSize(head: Buffer): PictureSize | undefined {
  let position = 2;
  while (position + 9 <= head.length && head[position] === 0xff) {
    const marker = head[position + 1] ?? 0;
    if (isFrameHeader(marker))
      return { width: head.readUInt16BE(position + 7), height: head.readUInt16BE(position + 5) };
    position += 2 + head.readUInt16BE(position + 2);
  }
  return undefined;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function webpSize(head: Buffer): PictureSize | undefined {
  if (head.length < 30) return undefined;
  switch (ascii(head, 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
