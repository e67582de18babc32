import { type DotProductRun, dotProducts } from '../../lib/wasm/dot-products.ts';
import { newPagedMemory, PAGE_BYTES, type PagedMemory } from '../../lib/wasm/wasm-instance.ts';
import { type PackedVectors, quantise } from '../packed-vectors.ts';
import type { SectionPiece, Sections } from './index-file.ts';
import { bufferOf, bytesOf } from './typed-bytes.ts';

const MAX_DIMENSIONS = 4096;
/** Numbers multiplied at once. */
const LANES = 16;
/** Vectors per run. */
const RUN_VECTORS = 4096;
const QUESTION_START = 0;
const PRODUCTS_START = MAX_DIMENSIONS * 2;
const VECTORS_START = PRODUCTS_START + RUN_VECTORS * 4;
/** Growth factor of the memory. */
const GROWTH = 1.25;

/** The memory of an index without vectors. */
export function newVectorMemory(): PagedMemory {
  return newPagedMemory(VECTORS_START);
}

/** The place in that memory for vectors of an index file: they are read to where they are multiplied. */
export function vectorBytes(memory: PagedMemory, sizeBytes: number): Uint8Array<ArrayBuffer> {
  growBy(memory, VECTORS_START + sizeBytes - memory.buffer.byteLength);
  return new Uint8Array(memory.buffer, VECTORS_START, sizeBytes);
}

/** Exact search over the vectors of all passages. */
export class VectorIndex {
  readonly #memory: PagedMemory;
  readonly #multiply: (run: DotProductRun) => void;
  readonly #dimensions: number;
  readonly #stride: number;
  #slots = new Int32Array(64);
  #scales = new Float32Array(64);
  #count = 0;

  constructor(dimensions: number, memory = newVectorMemory()) {
    if (dimensions > MAX_DIMENSIONS) throw new RangeError(`a vector has at most ${MAX_DIMENSIONS} numbers`);
    this.#memory = memory;
    this.#multiply = dotProducts(memory);
    this.#dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
  }

  /** Reverses `pieces`; the vectors are in the memory already. */
  static restore(dimensions: number, sections: Sections, memory: PagedMemory): VectorIndex {
    const index = new VectorIndex(dimensions, memory);
    index.#slots = new Int32Array(bufferOf(sections, 'vector-slots'));
    index.#scales = new Float32Array(bufferOf(sections, 'vector-scales'));
    index.#count = index.#slots.length;
    return index;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** The vectors of the slots that have a new slot, which is not negative. */
  *pieces(newSlots: Int32Array): Generator<SectionPiece> {
    const slots: number[] = [];
    const scales: number[] = [];
    for (let place = 0; place < this.#count; place += 1) {
      const newSlot = newSlots[this.#slots[place] ?? 0] ?? -1;
      if (newSlot < 0) continue;
      slots.push(newSlot);
      scales.push(this.#scales[place] ?? 0);
      const start = VECTORS_START + place * this.#stride;
      // A copy: the buffer is detached when the memory grows.
      yield {
        section: 'vectors',
        bytes: new Uint8Array(this.#memory.buffer.slice(start, start + this.#stride)),
      };
    }
    yield { section: 'vector-slots', bytes: bytesOf(Int32Array.from(slots)) };
    yield { section: 'vector-scales', bytes: bytesOf(Float32Array.from(scales)) };
  }

  get sizeBytes(): number {
    return this.#memory.buffer.byteLength + this.#slots.byteLength + this.#scales.byteLength;
  }

  /** Adds the vectors of one chunk; vectors of another length are ignored. */
  add(slot: number, vectors: PackedVectors): void {
    if (vectors.dimensions !== this.#dimensions) return;
    this.#makeRoom(vectors.scales.length);
    const bytes = new Int8Array(this.#memory.buffer);
    vectors.scales.forEach((scale, index) => {
      const from = index * this.#dimensions;
      bytes.set(
        vectors.numbers.subarray(from, from + this.#dimensions),
        VECTORS_START + this.#count * this.#stride,
      );
      this.#slots[this.#count] = slot;
      this.#scales[this.#count] = scale;
      this.#count += 1;
    });
  }

  /** Raises each slot to the cosine of its closest passage; false if the vector has another length. */
  score(question: Float32Array, cosines: Float32Array): boolean {
    if (question.length !== this.#dimensions) return false;
    const { scale, numbers } = quantise(question);
    new Int16Array(this.#memory.buffer, QUESTION_START, this.#stride).fill(0).set(numbers);
    for (let first = 0; first < this.#count; first += RUN_VECTORS) {
      const count = Math.min(RUN_VECTORS, this.#count - first);
      this.#multiply(this.#runOf(first, count));
      const products = new Int32Array(this.#memory.buffer, PRODUCTS_START, count);
      for (let index = 0; index < count; index += 1) {
        const cosine = (products[index] ?? 0) * (this.#scales[first + index] ?? 0) * scale;
        const slot = this.#slots[first + index] ?? 0;
        if (cosine > (cosines[slot] ?? 0)) cosines[slot] = cosine;
      }
    }
    return true;
  }

  #runOf(first: number, count: number): DotProductRun {
    return {
      question: QUESTION_START,
      vectors: VECTORS_START + first * this.#stride,
      products: PRODUCTS_START,
      count,
      dimensions: this.#stride,
    };
  }

  #makeRoom(more: number): void {
    const count = this.#count + more;
    const missing = VECTORS_START + count * this.#stride - this.#memory.buffer.byteLength;
    if (missing > 0) growBy(this.#memory, Math.max(missing, this.#memory.buffer.byteLength * (GROWTH - 1)));
    if (count <= this.#slots.length) return;
    const [slots, scales] = [new Int32Array(count * 2), new Float32Array(count * 2)];
    slots.set(this.#slots);
    scales.set(this.#scales);
    [this.#slots, this.#scales] = [slots, scales];
  }
}

function growBy(memory: PagedMemory, bytes: number): void {
  if (bytes > 0) memory.grow(Math.ceil(bytes / PAGE_BYTES));
}
