import { freeMemory } from './free-memory.ts';

const LEAST_SLAB_BYTES = 4 * 1024;
const MOST_SLAB_BYTES = 64 * 1024;
/** The collector frees smaller chunks at less cost. */
const LEAST_FREED_BYTES = 4 * 1024;

/**
 * Bytes that arrive in chunks of any size, in slabs that grow to 64 KiB. A client may send each byte in a chunk of its own, and
 * an object for each would take hundreds of times its memory.
 */
export class ByteSlabs {
  #full: Buffer[] = [];
  #last: Buffer | undefined;
  /** The bytes of the last slab that are not taken out: from there, and up to there. */
  #lastFrom = 0;
  #lastEnd = 0;
  #sizeBytes = 0;

  /** Takes the chunk, whose memory is freed unless others may read it. A single chunk stays as it is. */
  add(chunk: Buffer): void {
    const isFirst = this.#sizeBytes === 0;
    this.#sizeBytes += chunk.length;
    if (isFirst) this.#full = [chunk];
    else this.#copy(chunk);
  }

  /** The bytes so far. */
  get pieces(): readonly Buffer[] {
    const last = this.#last?.subarray(this.#lastFrom, this.#lastEnd);
    return last === undefined || last.length === 0 ? this.#full : [...this.#full, last];
  }

  /** Takes out what will not grow any more. */
  takeFull(): readonly Buffer[] {
    return this.#full.splice(0);
  }

  /** Takes out everything; what comes later still fills the last slab. */
  takeAll(): readonly Buffer[] {
    const all = this.pieces;
    this.#full = [];
    this.#lastFrom = this.#lastEnd;
    // Its memory is no longer its own.
    if (this.#lastEnd === this.#last?.length) this.#last = undefined;
    return all;
  }

  #copy(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const slab = this.#slabWithRoom();
      const copied = chunk.copy(slab, this.#lastEnd, from);
      from += copied;
      this.#lastEnd += copied;
    }
    if (chunk.length >= LEAST_FREED_BYTES) freeMemory(chunk);
  }

  #slabWithRoom(): Buffer {
    if (this.#last !== undefined && this.#lastEnd < this.#last.length) return this.#last;
    this.#full = [...this.pieces];
    // As much again as there is, so that few bytes hold little memory.
    const sizeBytes = Math.min(MOST_SLAB_BYTES, Math.max(LEAST_SLAB_BYTES, this.#sizeBytes));
    this.#last = Buffer.allocUnsafeSlow(sizeBytes);
    this.#lastFrom = 0;
    this.#lastEnd = 0;
    return this.#last;
  }
}

/** Puts pieces together, and frees the memory of each unless others may read it. */
export function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) freeMemory(piece);
  return whole;
}
