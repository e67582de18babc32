import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

const WASM_PAGE_BYTES = 65_536;
const SCRATCH_BYTES = 64;

interface LinearMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** A PDFium instance with bounded memory of its own. It must be discarded after any unexpected error. */
export class Pdfium {
  readonly api: WrappedPdfiumModule;
  /** Scratch memory for output parameters. */
  readonly scratch: number;
  readonly #memory: LinearMemory;

  private constructor(api: WrappedPdfiumModule, memory: LinearMemory) {
    this.api = api;
    this.#memory = memory;
    this.scratch = api.pdfium.wasmExports.malloc(SCRATCH_BYTES);
  }

  static async open(maxMemoryBytes: number): Promise<Pdfium> {
    const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
    const api = await init({ wasmBinary: exactBuffer(wasm) });
    const memory = memoryOf(api.pdfium.wasmExports);
    const grow = memory.grow.bind(memory);
    // PDFium sees refused growth as a failed allocation and traps.
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > maxMemoryBytes) {
        throw new RangeError('PDFium may not use more memory');
      }
      return grow(pages);
    };
    api.PDFiumExt_Init();
    return new Pdfium(api, memory);
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Copies bytes into its memory; free with `release`. */
  copyIn(bytes: Uint8Array): number {
    const address = this.api.pdfium.wasmExports.malloc(bytes.length);
    if (address === 0) throw new RangeError('PDFium has no room for the file');
    new Uint8Array(this.#memory.buffer).set(bytes, address);
    return address;
  }

  release(address: number): void {
    this.api.pdfium.wasmExports.free(address);
  }

  /** A view of its memory, valid until the next call, which may move it. */
  bytesAt(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length);
  }

  /** Reads output parameters from the scratch memory. */
  floats(count: number): readonly number[] {
    return [...new Float32Array(this.#memory.buffer, this.scratch, count)];
  }
}

function exactBuffer({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(byteLength);
  new Uint8Array(copy).set(new Uint8Array(buffer, byteOffset, byteLength));
  return copy;
}

function memoryOf(wasmExports: object): LinearMemory {
  const memory: unknown = 'memory' in wasmExports ? wasmExports.memory : undefined;
  if (!isMemory(memory)) throw new TypeError('PDFium does not export its memory');
  return memory;
}

function isMemory(value: unknown): value is LinearMemory {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'grow' in value;
}
