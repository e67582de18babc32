import { deflateSync } from 'node:zlib';

/** Pixels without padding, top row first; a fourth byte per pixel is left out. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGB = 3;
/** Eight bits per channel, RGB, and the only methods there are for the rest. */
const FORMAT = Buffer.from([8, 2, 0, 0, 0]);
const CRC_POLYNOMIAL = 0xedb88320;
/** For pages of text the highest level takes twice the time for a few percent. */
const LEVEL = 6;

/** Writes pixels as a PNG. Encoding trusted pixels needs no native code. */
export function encodePng(pixels: Pixels): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(pixels.width, 0);
  header.writeUInt32BE(pixels.height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, FORMAT])),
    chunk('IDAT', deflateSync(rowsOf(pixels), { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Rows of RGB, each after its filter byte, which says that it is as it is. */
function rowsOf({ data, width, height, channels }: Pixels): Buffer {
  const rows = Buffer.alloc(height * (1 + RGB * width));
  let to = 0;
  for (let from = 0; from < width * height * channels; from += channels) {
    if (from % (width * channels) === 0) to += 1;
    rows[to++] = data[from] ?? 0;
    rows[to++] = data[from + 1] ?? 0;
    rows[to++] = data[from + 2] ?? 0;
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.length, 0);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body), 0);
  return Buffer.concat([frame, body, check]);
}

// That of node:zlib came with 20.15.
function crc32(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? CRC_POLYNOMIAL ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
