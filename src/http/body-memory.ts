import { totalmem } from 'node:os';
import { Fault } from '../faults/fault.ts';
import type { LeasedBytes } from '../lib/leased-bytes.ts';

/** The fraction of the memory for bodies that one stack may hold. */
const STACK_FRACTION = 1 / 4;

/** The fraction of the process's memory that `auto` stands for. */
const AUTO_FRACTION = 1 / 8;
const LEAST_BYTES = 256 * 1024 * 1024;

/** The configured memory for bodies, in bytes. */
export function bodyMemoryBytes(configured: 'auto' | number): number {
  if (configured !== 'auto') return configured;
  // The limit of the container; 0 if there is none.
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.max(LEAST_BYTES, Math.floor(Math.min(totalmem(), allowed) * AUTO_FRACTION));
}

/** Bounds the bytes of request bodies in memory, in all and per stack. */
export class BodyMemory {
  readonly #totalBytes: number;
  readonly #stackBytes: number;
  readonly #byStack = new Map<string, number>();
  #heldBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
    this.#stackBytes = totalBytes * STACK_FRACTION;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Opens an account for one request's body, with no bytes held yet. */
  open(stackId: string): HeldMemory {
    return new HeldMemory((bytes) => this.#change(stackId, bytes), this.#stackBytes);
  }

  #change(stackId: string, bytes: number): boolean {
    const ofStack = (this.#byStack.get(stackId) ?? 0) + bytes;
    const held = this.#heldBytes + bytes;
    if (bytes > 0 && (held > this.#totalBytes || ofStack > this.#stackBytes)) return false;
    this.#heldBytes = held;
    if (ofStack === 0) this.#byStack.delete(stackId);
    else this.#byStack.set(stackId, ofStack);
    return true;
  }
}

/** The memory that a request holds for its body; disposing releases all of it. */
export class HeldMemory implements Disposable {
  readonly #change: (bytes: number) => boolean;
  readonly #mostBytes: number;
  #bytes = 0;
  #isOver = false;
  #leased: Disposable | undefined;

  /** `mostBytes` is the limit of its stack. */
  constructor(change: (bytes: number) => boolean, mostBytes: number) {
    this.#change = change;
    this.#mostBytes = mostBytes;
  }

  /** Holds more bytes; returns the fault if there is no room for them. */
  grow(bytes: number): Fault | undefined {
    if (this.#isOver || !this.#change(bytes)) {
      return new Fault('body-memory-full', 'The gateway holds as many bytes of requests as it can; retry.');
    }
    this.#bytes += bytes;
    return undefined;
  }

  /** Holds memory for the parsed value, up to the limit of the stack: while its stack holds nothing else, a body is not refused for a value over that limit. */
  growForValue(bytes: number): Fault | undefined {
    return this.grow(Math.min(bytes, Math.max(0, Math.floor(this.#mostBytes) - this.#bytes)));
  }

  /** Holds the bytes, too. */
  lease(bytes: LeasedBytes): void {
    // Too late to free them safely: they are left to the collector.
    if (!this.#isOver) this.#leased = bytes.hold();
  }

  /** Releases bytes, at most those that are held. */
  shrink(bytes: number): void {
    const less = Math.min(bytes, this.#bytes);
    this.#bytes -= less;
    if (less > 0) this.#change(-less);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.shrink(this.#bytes);
    this.#leased?.[Symbol.dispose]();
  }
}
