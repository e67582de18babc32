// Missing in TypeScript's types for Node.
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}

/** Growing it replaces its buffer. */
export type PagedMemory = WebAssembly.Memory;
export const PAGE_BYTES = 65_536;

export function newPagedMemory(bytes: number): PagedMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** Byte offsets into the memory, aligned to 16 dimensions. */
export interface DotProductRun {
  /** As 16-bit integers. */
  readonly question: number;
  /** Concatenated, as 8-bit integers. */
  readonly vectors: number;
  /** Output, as 32-bit integers. */
  readonly products: number;
  readonly count: number;
  /** A multiple of 16. */
  readonly dimensions: number;
}

const I32 = 0x7f;
const V128 = 0x7b;
// Indexes of parameters and locals.
const QUESTION = 0;
const VECTOR = 1;
const PRODUCT = 2;
const COUNT = 3;
const DIMENSIONS = 4;
const PLACE = 5;
const END = 6;
const NUMBERS = 7;
const SUMS = 8;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant = (value: number) => [0x41, value];
const ADD = [0x6a];
const vector = (operation: number, ...rest: number[]) => [0xfd, ...unsigned(operation), ...rest];
const loadVector = (offset: number) => vector(0x00, 0, offset);
const extractLane = (lane: number) => [...get(SUMS), ...vector(0x1b, lane)];
const EXTEND_LOW = vector(0x87);
const EXTEND_HIGH = vector(0x88);
const DOT_16_BIT = vector(0xba);
const ADD_VECTORS = vector(0xae);
const addHalf = (extend: readonly number[], offset: number) => [
  ...[...get(SUMS), ...get(NUMBERS), ...extend],
  ...[...get(PLACE), ...loadVector(offset), ...DOT_16_BIT, ...ADD_VECTORS, ...set(SUMS)],
];
const advance = (local: number, bytes: readonly number[]) => [...get(local), ...bytes, ...ADD, ...set(local)];

// for each vector: sums = 0; for each 16 of its numbers: sums += numbers * question; product = the sum of sums
const BODY = [
  ...[0x03, 0x40],
  ...[...vector(0x0c, ...new Array<number>(16).fill(0)), ...set(SUMS)],
  ...[...get(QUESTION), ...set(PLACE)],
  ...[...get(VECTOR), ...get(DIMENSIONS), ...ADD, ...set(END)],
  ...[0x03, 0x40],
  ...[...get(VECTOR), ...loadVector(0), ...set(NUMBERS)],
  ...[...addHalf(EXTEND_LOW, 0), ...addHalf(EXTEND_HIGH, 16)],
  ...[...advance(VECTOR, constant(16)), ...advance(PLACE, constant(32))],
  ...[...get(VECTOR), ...get(END), 0x49, 0x0d, 0],
  0x0b,
  ...get(PRODUCT),
  ...[...extractLane(0), ...extractLane(1), ...ADD, ...extractLane(2), ...ADD, ...extractLane(3), ...ADD],
  ...[0x36, 2, 0],
  ...advance(PRODUCT, constant(4)),
  ...[...get(COUNT), ...constant(1), 0x6b, 0x22, COUNT, 0x0d, 0],
  0x0b,
];

/** Dot products of one vector with many, in WebAssembly for its SIMD instructions. */
export function dotProducts(memory: PagedMemory): (run: DotProductRun) => void {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), { host: { memory } });
  const { run } = instance.exports;
  if (typeof run !== 'function') throw new TypeError('the module has no function');
  return ({ question, vectors, products, count, dimensions }) => {
    if (count > 0) run(question, vectors, products, count, dimensions);
  };
}

function moduleBytes(): Uint8Array {
  const locals = [2, 2, I32, 2, V128];
  const code = [...locals, ...BODY, 0x0b];
  const type = [0x60, 5, I32, I32, I32, I32, I32, 0];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...type]),
    ...section(2, [1, ...name('host'), ...name('memory'), 0x02, 0x00, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): readonly number[] {
  return [text.length, ...Buffer.from(text)];
}

function unsigned(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
}
