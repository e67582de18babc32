const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
const FIRST_BYTES = 512;
/** The length of such a text has one byte. */
const MOST_SHORT = 100;

/** Writes the fields of one message in the protobuf wire format, in the order in which they are given. */
export class ProtobufMessage {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** Begins anew, with the room that it has. */
  clear(): void {
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of the bytes from there on, which `append` can write again. */
  copyFrom(start: number): Buffer {
    return Buffer.from(this.#bytes.subarray(start, this.#length));
  }

  /** Adds fields that are written already. */
  append(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  text(field: number, value: string): this {
    this.#tag(field, LENGTH_DELIMITED);
    if (this.#writeShort(value)) return this;
    const sizeBytes = Buffer.byteLength(value);
    this.#varint(sizeBytes);
    this.#room(sizeBytes);
    this.#length += this.#bytes.write(value, this.#length);
    return this;
  }

  /** So many bytes of others, which are so few that a call of Buffer costs more than a loop. */
  shortBytes(field: number, source: Uint8Array, from: number, sizeBytes: number): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(sizeBytes);
    this.#room(sizeBytes);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let index = 0; index < sizeBytes; index++) bytes[start + index] = source[from + index] ?? 0;
    this.#length = start + sizeBytes;
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(value.byteLength);
    this.#room(value.byteLength);
    this.#bytes.set(value, this.#length);
    this.#length += value.byteLength;
    return this;
  }

  /** The beginning of a message in this one, of which the bytes follow elsewhere. */
  head(field: number, sizeBytes: number): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(sizeBytes);
    return this;
  }

  /** A message in this one. */
  message(field: number, write: (message: ProtobufMessage) => void): this {
    const start = this.begin(field);
    write(this);
    return this.end(start);
  }

  /** Begins a message in this one; the result is given to `end`. Its length gets one byte for now. */
  begin(field: number): number {
    this.#tag(field, LENGTH_DELIMITED);
    this.#room(1);
    return ++this.#length;
  }

  /** Ends a message in this one, which is moved if its length needs more than a byte. */
  end(start: number): this {
    const end = this.#length;
    const sizeBytes = end - start;
    if (sizeBytes < 0x80) {
      this.#bytes[start - 1] = sizeBytes;
      return this;
    }
    const more = varintBytes(sizeBytes) - 1;
    this.#room(more);
    this.#bytes.copyWithin(start + more, start, end);
    this.#length = start - 1;
    this.#varint(sizeBytes);
    this.#length = end + more;
    return this;
  }

  /** A whole number from 0 to 2^53. */
  integer(field: number, value: number): this {
    this.#tag(field, VARINT);
    this.#varint(value);
    return this;
  }

  fixed32(field: number, value: number): this {
    this.#tag(field, FIXED_32);
    this.#room(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
    return this;
  }

  fixed64(field: number, value: bigint): this {
    this.#tag(field, FIXED_64);
    this.#room(8);
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length);
    return this;
  }

  /** `high` · 2^32 + `low`: `bigint`s cost more than the rest of a span. */
  fixed64Halves(field: number, high: number, low: number): this {
    this.#tag(field, FIXED_64);
    this.#room(8);
    this.#length = this.#bytes.writeUInt32LE(low, this.#length);
    this.#length = this.#bytes.writeUInt32LE(high, this.#length);
    return this;
  }

  double(field: number, value: number): this {
    this.#tag(field, FIXED_64);
    this.#room(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    return this;
  }

  /** Numbers of eight bytes in one field, as `repeated` fields have them. */
  packed(field: number, values: readonly (bigint | number)[]): this {
    const bytes = Buffer.allocUnsafe(values.length * 8);
    values.forEach((value, index) => {
      if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, index * 8);
      else bytes.writeDoubleLE(value, index * 8);
    });
    return this.bytes(field, bytes);
  }

  /** Writes a short ASCII text with its length: most are names of attributes, for which a call of Buffer costs more than a loop. */
  #writeShort(value: string): boolean {
    const { length } = value;
    if (length > MOST_SHORT) return false;
    this.#room(length + 1);
    const bytes = this.#bytes;
    const start = this.#length + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      bytes[start + index] = code;
    }
    bytes[start - 1] = length;
    this.#length = start + length;
    return true;
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  #varint(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
}
