/** A constant tensor of a model. */
export interface ModelTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Int8Array | BigInt64Array;
}

/** An input or output of a model; a name in its shape is a dimension each run may choose. */
export interface ModelPort {
  readonly name: string;
  readonly type: 'float32' | 'int64';
  readonly shape: readonly (number | string)[];
}

interface ModelStep {
  readonly operation: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, number | readonly number[]>>;
}

// Field numbers from onnx.proto.
const IR_VERSION = 8;
const OPERATIONS_VERSION = 17;
const ELEMENT_TYPES = { float32: 1, int8: 3, int64: 7 } as const;
const ATTRIBUTE_NUMBER = 1;
const ATTRIBUTE_INTEGER = 2;
const ATTRIBUTE_INTEGERS = 7;

/** Builds a model in the ONNX format; methods that add a value return its name. */
export class OnnxModel {
  readonly #steps: ModelStep[] = [];
  readonly #tensors = new Map<string, ModelTensor>();

  tensor(name: string, tensor: ModelTensor): string {
    this.#tensors.set(name, tensor);
    return name;
  }

  /** Adds a step with one output. */
  step(operation: string, inputs: readonly string[], attributes: ModelStep['attributes'] = {}): string {
    const [output = ''] = this.steps(operation, inputs, { outputs: 1, attributes });
    return output;
  }

  /** Adds a step with several outputs. */
  steps(
    operation: string,
    inputs: readonly string[],
    { outputs, attributes = {} }: { outputs: number; attributes?: ModelStep['attributes'] },
  ): readonly string[] {
    const names = Array.from({ length: outputs }, (_, index) => `step${this.#steps.length}.${index}`);
    this.#steps.push({ operation, inputs, outputs: names, attributes });
    return names;
  }

  /** The file's bytes; the output of the last step is the model's output. */
  bytes(inputs: readonly ModelPort[], output: Omit<ModelPort, 'name'>): Buffer {
    const name = this.#steps.at(-1)?.outputs[0] ?? '';
    const graph = [
      ...this.#steps.map((step) => message(1, stepFields(step))),
      text(2, 'graph'),
      ...[...this.#tensors].map(([tensorName, tensor]) => message(5, tensorFields(tensorName, tensor))),
      ...inputs.map((port) => message(11, portFields(port))),
      message(12, portFields({ ...output, name })),
    ];
    const operations = [text(1, ''), integer(2, OPERATIONS_VERSION)];
    return Buffer.concat([integer(1, IR_VERSION), message(7, graph), message(8, operations)]);
  }
}

function stepFields({ operation, inputs, outputs, attributes }: ModelStep): readonly Buffer[] {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operation),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeFields(name, value))),
  ];
}

function attributeFields(name: string, value: number | readonly number[]): readonly Buffer[] {
  if (typeof value !== 'number')
    return [text(1, name), ...value.map((item) => integer(8, item)), integer(20, ATTRIBUTE_INTEGERS)];
  if (Number.isInteger(value)) return [text(1, name), integer(3, value), integer(20, ATTRIBUTE_INTEGER)];
  return [text(1, name), fraction(2, value), integer(20, ATTRIBUTE_NUMBER)];
}

function tensorFields(name: string, { shape, data }: ModelTensor): readonly Buffer[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return [
    ...shape.map((size) => integer(1, size)),
    integer(2, elementType(data)),
    text(8, name),
    field(9, bytes),
  ];
}

function elementType(data: ModelTensor['data']): number {
  if (data instanceof Float32Array) return ELEMENT_TYPES.float32;
  return data instanceof Int8Array ? ELEMENT_TYPES.int8 : ELEMENT_TYPES.int64;
}

function portFields({ name, type, shape }: ModelPort): readonly Buffer[] {
  const sizes = shape.map((size) =>
    message(1, [typeof size === 'number' ? integer(1, size) : text(2, size)]),
  );
  const tensorType = message(1, [integer(1, ELEMENT_TYPES[type]), message(2, sizes)]);
  return [text(1, name), message(2, [tensorType])];
}

function message(number: number, fields: readonly Buffer[]): Buffer {
  return field(number, Buffer.concat(fields));
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([variableInteger((number << 3) | 2), variableInteger(bytes.length), bytes]);
}

function integer(number: number, value: number): Buffer {
  return Buffer.concat([variableInteger(number << 3), variableInteger(value)]);
}

function fraction(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([variableInteger((number << 3) | 5), bytes]);
}

/** Varint: seven bits per byte, lowest first; negative numbers as 64-bit two's complement. */
function variableInteger(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
