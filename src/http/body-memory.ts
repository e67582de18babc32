import { totalmem } from 'node:os';
import { Fault } from '../faults/fault.ts';

/** Of all memory for bodies, what one stack may hold. */
const STACK_SHARE = 1 / 4;

/** What `auto` takes of the memory that the process may have. */
const AUTO_SHARE = 1 / 8;
const LEAST_BYTES = 256 * 1024 * 1024;

/** The bytes that a configuration stands for. */
export function bodyMemoryBytes(configured: 'auto' | number): number {
  if (configured !== 'auto') return configured;
  // In a container that is less than the machine has; 0 where there is no such bound.
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.max(LEAST_BYTES, Math.floor(Math.min(totalmem(), allowed) * AUTO_SHARE));
}

/** How many bytes of request bodies are in memory, in all and of each stack. */
export class BodyMemory {
  readonly #totalBytes: number;
  readonly #stackBytes: number;
  readonly #byStack = new Map<string, number>();
  #heldBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
    this.#stackBytes = totalBytes * STACK_SHARE;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The memory of one request's body; nothing is held yet. */
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

/** Memory that a request holds for its body; disposing gives all of it back. */
export class HeldMemory implements Disposable {
  readonly #change: (bytes: number) => boolean;
  readonly #mostBytes: number;
  #bytes = 0;
  #isOver = false;

  /** `mostBytes` is what its stack may hold. */
  constructor(change: (bytes: number) => boolean, mostBytes: number) {
    this.#change = change;
    this.#mostBytes = mostBytes;
  }

  /** Holds so many bytes more; the fault where there is no room for them. */
  grow(bytes: number): Fault | undefined {
    if (this.#isOver || !this.#change(bytes)) {
      return new Fault('body-memory-full', 'The gateway holds as many bytes of requests as it can; retry.');
    }
    this.#bytes += bytes;
    return undefined;
  }

  /** Holds memory for what was made of the body, though no more in all than its stack may: alone, a body that had room is never refused for what it became. */
  growForValue(bytes: number): Fault | undefined {
    return this.grow(Math.min(bytes, Math.max(0, Math.floor(this.#mostBytes) - this.#bytes)));
  }

  /** Gives some of it back; nothing once all was given back. */
  shrink(bytes: number): void {
    const less = Math.min(bytes, this.#bytes);
    this.#bytes -= less;
    if (less > 0) this.#change(-less);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.shrink(this.#bytes);
  }
}
