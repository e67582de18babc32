const SIGNATURE_BYTES = 8;
const LENGTH_BYTES = 4;
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
const EIGHT_BITS = 8;
const RGB = 2;

/**
 * Removes the chunks of a PNG that its pixels do not need, without recompressing; undefined if it is not an 8-bit RGB PNG. Does
 * not verify the pixels.
 */
export function barePng(png: Buffer): Buffer | undefined {
  const kept: Buffer[] = [png.subarray(0, SIGNATURE_BYTES)];
  let position = SIGNATURE_BYTES;
  while (position + FRAME_BYTES <= png.length) {
    const length = png.readUInt32BE(position);
    const end = position + FRAME_BYTES + length;
    const type = png.toString('latin1', position + LENGTH_BYTES, position + 2 * LENGTH_BYTES);
    if (end > png.length) return undefined;
    if (kept.length === 1 && !isRgbHeader(type, png.subarray(position + 2 * LENGTH_BYTES, end)))
      return undefined;
    if (type === 'IHDR' || type === 'IDAT' || type === 'IEND') kept.push(png.subarray(position, end));
    if (type === 'IEND') return Buffer.concat(kept);
    position = end;
  }
  return undefined;
}

function isRgbHeader(type: string, data: Buffer): boolean {
  if (type !== 'IHDR' || data.length < HEADER_BYTES) return false;
  return data[8] === EIGHT_BITS && data[9] === RGB;
}
