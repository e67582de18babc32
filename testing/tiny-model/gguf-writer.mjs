const MAGIC = 'GGUF';
const VERSION = 3;
const ALIGNMENT = 32;
const FLOAT32 = 0;
const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 };

/** The bytes of a model file: `values` are [key, type, value] (an array's type is `[type]`), `tensors` { name, shape, data }. */
export function ggufBytes({ values, tensors }) {
  const head = new ByteList();
  head.text(MAGIC);
  head.u32(VERSION);
  head.u64(tensors.length);
  head.u64(values.length);
  for (const [key, type, value] of values) {
    head.string(key);
    writeValue(head, type, value);
  }
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    head.string(name);
    head.u32(shape.length);
    for (const size of shape) head.u64(size);
    head.u32(FLOAT32);
    head.u64(offset);
    offset = aligned(offset + data.byteLength);
  }
  head.pad(aligned(head.length));
  for (const { data } of tensors) {
    head.bytes(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    head.pad(aligned(head.length));
  }
  return head.join();
}

function writeValue(head, type, value) {
  if (!Array.isArray(type)) {
    head.u32(TYPES[type]);
    writeScalar(head, type, value);
    return;
  }
  head.u32(TYPES.array);
  head.u32(TYPES[type[0]]);
  head.u64(value.length);
  for (const item of value) writeScalar(head, type[0], item);
}

function writeScalar(head, type, value) {
  if (type === 'string') head.string(value);
  else if (type === 'bool') head.bytes(Buffer.from([value ? 1 : 0]));
  else if (type === 'f32') head.number(4, (buffer) => buffer.writeFloatLE(value));
  else if (type === 'i32') head.number(4, (buffer) => buffer.writeInt32LE(value));
  else head.u32(value);
}

function aligned(offset) {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

class ByteList {
  #parts = [];
  length = 0;

  bytes(part) {
    this.#parts.push(part);
    this.length += part.length;
  }

  number(size, write) {
    const buffer = Buffer.alloc(size);
    write(buffer);
    this.bytes(buffer);
  }

  u32(value) {
    this.number(4, (buffer) => buffer.writeUInt32LE(value));
  }

  u64(value) {
    this.number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
  }

  text(value) {
    this.bytes(Buffer.from(value));
  }

  string(value) {
    const text = Buffer.from(value);
    this.u64(text.length);
    this.bytes(text);
  }

  pad(length) {
    this.bytes(Buffer.alloc(length - this.length));
  }

  join() {
    return Buffer.concat(this.#parts);
  }
}
