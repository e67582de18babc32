import { readFile } from 'node:fs/promises';

const METADATA_FIELD = 14;
const KEY_FIELD = 1;
const VALUE_FIELD = 2;
const LENGTH_DELIMITED = 2;

/** The meaning of each output: blank, the characters of the dictionary, then a space. */
export async function readAlphabet(modelPath: string, dictionaryPath?: string): Promise<readonly string[]> {
  const dictionary =
    dictionaryPath === undefined
      ? onnxMetadata(await readFile(modelPath)).get('character')
      : await readFile(dictionaryPath, 'utf8');
  if (dictionary === undefined) throw new Error(`${modelPath} holds no dictionary`);
  const characters = dictionary.replace(/\r/g, '').replace(/\n$/, '').split('\n');
  return ['', ...characters, ' '];
}

/** Metadata of an ONNX file, which is a protocol buffer; onnxruntime does not expose it. */
function onnxMetadata(file: Buffer): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  for (const { field, bytes } of fieldsOf(file)) {
    if (field !== METADATA_FIELD) continue;
    const entry = new Map([...fieldsOf(bytes)].map((part) => [part.field, part.bytes.toString('utf8')]));
    metadata.set(entry.get(KEY_FIELD) ?? '', entry.get(VALUE_FIELD) ?? '');
  }
  return metadata;
}

/** Length-delimited fields of a message; others are skipped. */
function* fieldsOf(message: Buffer): Generator<{ field: number; bytes: Buffer }> {
  const reader = new VarintReader(message);
  while (reader.position < message.length) {
    const tag = reader.next();
    if (tag % 8 === LENGTH_DELIMITED) {
      const length = reader.next();
      yield {
        field: Math.floor(tag / 8),
        bytes: message.subarray(reader.position, reader.position + length),
      };
      reader.position += length;
    } else if (tag % 8 === 0) {
      reader.next();
    } else {
      reader.position += tag % 8 === 1 ? 8 : 4;
    }
  }
}

class VarintReader {
  readonly #message: Buffer;
  position = 0;

  constructor(message: Buffer) {
    this.#message = message;
  }

  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#message[this.position] ?? 0;
      this.position += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}
