import { inflateSync } from 'node:zlib';

const SIGNATURE = '89504e470d0a1a0a';
const END = '0000000049454e44ae426082';

/** Size and unpacked rows of a PNG with one IDAT chunk; throws for other files. */
export function readPng(png: Buffer): {
  readonly width: number;
  readonly height: number;
  readonly rows: Buffer;
} {
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('no PNG signature');
  const start = png.indexOf('IDAT');
  const packed = png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4));
  if (png.subarray(-12).toString('hex') !== END) throw new Error('no end of a PNG');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), rows: inflateSync(packed) };
}
