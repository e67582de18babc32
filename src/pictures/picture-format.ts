const PNG = '89504e470d0a1a0a';

/** The format by magic bytes, among those that can be decoded. */
export function pictureFormat(bytes: Uint8Array): 'png' | 'jpeg' | 'webp' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12));
  if (head.toString('hex', 0, 8) === PNG) return 'png';
  if (head.toString('hex', 0, 3) === 'ffd8ff') return 'jpeg';
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return undefined;
}
