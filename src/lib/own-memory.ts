/** The bytes' buffer if it contains nothing else, so that it can be transferred to another thread. */
export function ownMemory({ buffer, byteOffset, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  return isWhole && buffer instanceof ArrayBuffer ? [buffer] : [];
}
