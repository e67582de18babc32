/** The memory of bytes, where they are all that is in it: it can be moved to another thread. */
export function ownMemory({ buffer, byteOffset, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  return isWhole && buffer instanceof ArrayBuffer ? [buffer] : [];
}
