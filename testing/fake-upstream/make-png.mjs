import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A valid PNG, 8-bit RGB: a gradient whose blue says the seed, so that equal orders give equal bytes.
 * @param {{ width: number, height: number, seed?: number }} size
 * @returns {Buffer}
 */
export function makePng({ width, height, seed = 0 }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(gradient({ width, height, seed }), { level: 1 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Rows of RGB, each after its filter byte (0: none). */
function gradient({ width, height, seed }) {
  const rowBytes = 1 + width * 3;
  const rows = Buffer.alloc(rowBytes * height);
  const row = Buffer.alloc(rowBytes, seed & 255);
  row[0] = 0;
  for (let x = 0, at = 1; x < width; x += 1, at += 3) row[at] = Math.floor((x * 256) / width);
  let shownGreen = -1;
  for (let y = 0; y < height; y += 1) {
    const green = Math.floor((y * 256) / height);
    // Many rows of a large picture are equal.
    if (green !== shownGreen) for (let at = 2; at < rowBytes; at += 3) row[at] = green;
    shownGreen = green;
    row.copy(rows, y * rowBytes);
  }
  return rows;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
