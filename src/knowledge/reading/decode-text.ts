/** Windows-1252 for 0x80 to 0x9f, where Latin 1 has control characters; the TextDecoder of Node 20 gets these wrong. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes a text file: UTF-8, UTF-16 with a byte order mark, else windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return latin.replace(
      /[\u0080-\u009f]/g,
      (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? '',
    );
  }
}
