import type { ProtobufMessage } from './protobuf-message.ts';
import type { SpanAttributes } from './request-trace.ts';

type Value = string | number | readonly string[];

interface Latest {
  value: Value;
  /** The attribute as bytes, from the second time that it has this value. */
  bytes: Buffer | undefined;
}

/** Writes the attributes of spans. Most have the value that their key had in an earlier span, and are copied. */
export class AttributeWriter {
  readonly #field: number;
  /** By key: keys are named in the code, so they are few. */
  readonly #latest = new Map<string, Latest>();

  constructor(field: number) {
    this.#field = field;
  }

  write(message: ProtobufMessage, attributes: SpanAttributes): void {
    // Nothing is inherited; a list of the keys cost more than the rest.
    for (const key in attributes) {
      const value = attributes[key];
      if (value !== undefined) this.#writeOne(message, key, value);
    }
  }

  #writeOne(message: ProtobufMessage, key: string, value: Value): void {
    const latest = this.#latest.get(key);
    if (latest?.value === value && latest.bytes !== undefined) {
      message.append(latest.bytes);
      return;
    }
    const from = message.length;
    writeAttribute(message, this.#field, key, value);
    if (latest === undefined) this.#latest.set(key, { value, bytes: undefined });
    else {
      latest.bytes = latest.value === value ? message.copyFrom(from) : undefined;
      latest.value = value;
    }
  }
}

export function writeAttributes(message: ProtobufMessage, field: number, attributes: SpanAttributes): void {
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value !== undefined) writeAttribute(message, field, key, value);
  }
}

export function writeAttribute(message: ProtobufMessage, field: number, key: string, value: Value): void {
  const pair = message.begin(field);
  message.text(1, key);
  const any = message.begin(2);
  writeValue(message, value);
  message.end(any).end(pair);
}

function writeValue(any: ProtobufMessage, value: Value): void {
  if (typeof value === 'string') any.text(1, value);
  else if (typeof value !== 'number')
    any.message(5, (list) => {
      for (const each of value) list.message(1, (element) => element.text(1, each));
    });
  else if (Number.isSafeInteger(value) && value >= 0) any.integer(3, value);
  else any.double(4, value);
}
