/** Vectors of length 1 as they are kept: for each one its scale, and its numbers in a byte each, a quarter of the room of floats. */
export interface PackedVectors {
  readonly dimensions: number;
  /** What a byte of each vector stands for. */
  readonly scales: Float32Array;
  /** The vectors one after the other. */
  readonly numbers: Int8Array;
}

const HEAD_BYTES = 8;
const SCALE_BYTES = 4;
const LARGEST = 127;

/** The bytes to keep of a chunk's vectors. */
export function packVectors(vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0) return new Uint8Array();
  const bytes = Buffer.alloc(HEAD_BYTES + vectors.length * (SCALE_BYTES + dimensions));
  bytes.writeUInt32LE(dimensions, 0);
  bytes.writeUInt32LE(vectors.length, 4);
  const numbersStart = HEAD_BYTES + vectors.length * SCALE_BYTES;
  vectors.forEach((vector, index) => {
    if (vector.length !== dimensions) throw new RangeError('vectors of one chunk have one length');
    const { scale, numbers } = quantise(vector);
    bytes.writeFloatLE(scale, HEAD_BYTES + index * SCALE_BYTES);
    bytes.set(new Uint8Array(numbers.buffer), numbersStart + index * dimensions);
  });
  return bytes;
}

/** Reads what `packVectors` wrote; undefined where it is empty. */
export function unpackVectors(bytes: Uint8Array): PackedVectors | undefined {
  if (bytes.length === 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dimensions = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  const numbersStart = HEAD_BYTES + count * SCALE_BYTES;
  if (bytes.length !== numbersStart + count * dimensions) throw new RangeError('these are no packed vectors');
  const scales = Float32Array.from({ length: count }, (_, index) =>
    view.getFloat32(HEAD_BYTES + index * SCALE_BYTES, true),
  );
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + numbersStart, count * dimensions);
  return { dimensions, scales, numbers };
}

/** A vector in bytes, and what one of them stands for. */
export function quantise(vector: Float32Array): { scale: number; numbers: Int8Array } {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest / LARGEST || 1;
  return { scale, numbers: Int8Array.from(vector, (value) => Math.round(value / scale)) };
}
