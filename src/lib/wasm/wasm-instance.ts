// Of the language, but TypeScript declares it only for browsers.
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum?: number });
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
  function validate(bytes: Uint8Array): boolean;
}

/** A memory that grows by pages; growing gives it another buffer. */
export type PagedMemory = WebAssembly.Memory;
export const PAGE_BYTES = 65_536;

export function newPagedMemory(bytes: number): PagedMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** A function of numbers from a module that works in a memory; `undefined` where the processor lacks instructions of it. */
export function wasmFunction(
  base64: string,
  name: string,
  memory: PagedMemory,
): ((...numbers: number[]) => number) | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } });
  return exports[name] as (...numbers: number[]) => number;
}
