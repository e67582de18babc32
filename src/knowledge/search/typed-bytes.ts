import type { Sections } from './index-file.ts';

/** The bytes of an array of numbers, in the order of this machine. */
export function bytesOf(numbers: ArrayBufferView): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** The buffer of a section that was read into one of its own; empty if the section is absent. */
export function bufferOf(sections: Sections, name: string): ArrayBuffer {
  return sections.get(name)?.buffer ?? new ArrayBuffer(0);
}
