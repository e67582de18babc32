import { dotProductsModule } from './modules.ts';
import { type PagedMemory, wasmFunction } from './wasm-instance.ts';

/** Where a run of products finds its numbers in the memory: byte offsets, 16 dimensions aligned. */
export interface DotProductRun {
  /** The question, as 16-bit integers. */
  readonly question: number;
  /** The vectors one after the other, as 8-bit integers. */
  readonly vectors: number;
  /** Where the products go, as 32-bit integers. */
  readonly products: number;
  readonly count: number;
  /** A multiple of 16. */
  readonly dimensions: number;
}

/** Computes the products of one vector with many in a memory; WebAssembly, for its instructions on many numbers at once. */
export function dotProducts(memory: PagedMemory): (run: DotProductRun) => void {
  const run = wasmFunction(dotProductsModule, 'run', memory);
  if (run === undefined) throw new TypeError('the processor has no vector instructions');
  return ({ question, vectors, products, count, dimensions }) => {
    if (count > 0) run(question, vectors, products, count, dimensions);
  };
}
