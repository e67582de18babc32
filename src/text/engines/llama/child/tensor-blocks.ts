import { GgmlType } from 'node-llama-cpp';

const BLOCK_VALUES = 32;
const Q8_BLOCK_BYTES = 34;
const Q4_1_BLOCK_BYTES = 20;

/** Reads `count` values from bytes of a tensor; throws for types other than F32, F16, Q4_1 and Q8_0. */
export function readValues(bytes: Buffer, type: GgmlType, count: number): Float32Array {
  const values = new Float32Array(count);
  switch (type) {
    case GgmlType.F32:
      for (let index = 0; index < count; index += 1) values[index] = bytes.readFloatLE(index * 4);
      return values;
    case GgmlType.F16:
      for (let index = 0; index < count; index += 1) values[index] = halfAt(bytes, index * 2);
      return values;
    case GgmlType.Q4_1:
      for (let at = 0, to = 0; to < count; at += Q4_1_BLOCK_BYTES, to += BLOCK_VALUES)
        readQ4Block(bytes, at, values, to);
      return values;
    case GgmlType.Q8_0:
      for (let at = 0, to = 0; to < count; at += Q8_BLOCK_BYTES, to += BLOCK_VALUES)
        readQ8Block(bytes, at, values, to);
      return values;
    default:
      throw new Error(`tensors of type ${GgmlType[type] ?? type} cannot be merged`);
  }
}

/** Bytes of so many values of a type that `readValues` reads. */
export function bytesOf(type: GgmlType, count: number): number {
  switch (type) {
    case GgmlType.F32:
      return count * 4;
    case GgmlType.F16:
      return count * 2;
    case GgmlType.Q4_1:
      return (count / BLOCK_VALUES) * Q4_1_BLOCK_BYTES;
    case GgmlType.Q8_0:
      return (count / BLOCK_VALUES) * Q8_BLOCK_BYTES;
    default:
      throw new Error(`tensors of type ${GgmlType[type] ?? type} cannot be merged`);
  }
}

/** Writes values as Q8_0: for every 32 a scale and signed bytes. Indexed loops: a model has a hundred million values. */
export function writeQ8(values: Float32Array, target: Buffer, start: number): void {
  let at = start;
  for (let from = 0; from < values.length; from += BLOCK_VALUES) {
    const scale = greatestOf(values, from) / 127;
    const inverse = scale === 0 ? 0 : 1 / scale;
    target.writeUInt16LE(halfBits(scale), at);
    for (let index = 0; index < BLOCK_VALUES; index += 1)
      target[at + 2 + index] = Math.round((values[from + index] ?? 0) * inverse);
    at += Q8_BLOCK_BYTES;
  }
}

function greatestOf(values: Float32Array, from: number): number {
  let greatest = 0;
  for (let index = from; index < from + BLOCK_VALUES; index += 1) {
    const size = Math.abs(values[index] ?? 0);
    if (size > greatest) greatest = size;
  }
  return greatest;
}

function readQ4Block(bytes: Buffer, at: number, values: Float32Array, to: number): void {
  const scale = halfAt(bytes, at);
  const least = halfAt(bytes, at + 2);
  for (let index = 0; index < BLOCK_VALUES / 2; index += 1) {
    const packed = bytes[at + 4 + index] ?? 0;
    values[to + index] = (packed & 15) * scale + least;
    values[to + index + BLOCK_VALUES / 2] = (packed >> 4) * scale + least;
  }
}

function readQ8Block(bytes: Buffer, at: number, values: Float32Array, to: number): void {
  const scale = halfAt(bytes, at);
  for (let index = 0; index < BLOCK_VALUES; index += 1)
    values[to + index] = bytes.readInt8(at + 2 + index) * scale;
}

/** A half-precision number. Node 20 has no type for them. */
function halfAt(bytes: Buffer, at: number): number {
  const bits = bytes.readUInt16LE(at);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The nearest half of a number that is not negative and below 65,504, as scales are. */
function halfBits(value: number): number {
  if (value < 2 ** -14) return Math.round(value * 2 ** 24);
  const exponent = Math.floor(Math.log2(value));
  // Rounding up to the next power of two carries into the exponent by itself.
  return ((exponent + 15) << 10) + Math.round((value / 2 ** exponent - 1) * 1024);
}
