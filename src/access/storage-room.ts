import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';

/** How many bytes a stack has stored: its images and the documents of its knowledge. */
export interface StorageBook {
  storedBytes(stackId: string): Promise<number>;
}

export interface StorageRoomParts {
  readonly book: StorageBook;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** How much room the disk has; undefined where files are elsewhere. */
  readonly freeBytes: () => Promise<number | undefined>;
}

/** So much of a disk stays free for the database, which everything else needs. */
export const FREE_DISK_FLOOR_BYTES = 256 * 1024 * 1024;
/** How long a sum is believed for admitting; before a refusal it is always read anew. */
const FRESH_MS = 5_000;
const MAX_STACKS = 1_000;

interface StackBytes {
  readonly readAtMs: number;
  readonly storedBytes: number;
}

/** Whether there is room to store something: on the disk, and within what a stack may have. Asked before any work is done for it. */
export class StorageRoom {
  readonly #parts: StorageRoomParts;
  readonly #read = new Map<string, StackBytes>();
  /** What is being stored at the moment, by stack. */
  readonly #coming = new Map<string, number>();

  constructor(parts: StorageRoomParts) {
    this.#parts = parts;
  }

  /**
   * Takes room for so many bytes until they are stored or given up, when the room is disposed of. Where their number is not
   * known, 0: then one more is stored while less is used than may be.
   */
  async take(caller: Caller, bytes: number): Promise<Disposable> {
    await this.#requireDisk(bytes);
    const limit = caller.plan.limits.storageBytes;
    const { id } = caller.stack;
    if (limit !== null) await this.#requireQuota(caller, { limit, bytes });
    this.#coming.set(id, this.#comingOf(id) + bytes);
    return { [Symbol.dispose]: () => this.#settle(id, bytes) };
  }

  /** Bytes that the stack has stored. */
  storedBytes({ stack }: Caller): Promise<number> {
    return this.#parts.book.storedBytes(stack.id);
  }

  async #requireDisk(bytes: number): Promise<void> {
    const freeBytes = await this.#parts.freeBytes();
    if (freeBytes !== undefined) requireFreeDisk(freeBytes, bytes);
  }

  async #requireQuota(
    caller: Caller,
    wanted: { readonly limit: number; readonly bytes: number },
  ): Promise<void> {
    const { id } = caller.stack;
    const fits = (storedBytes: number) => {
      const used = storedBytes + this.#comingOf(id);
      return wanted.bytes === 0 ? used < wanted.limit : used + wanted.bytes <= wanted.limit;
    };
    const remembered = this.#read.get(id);
    const isFresh = remembered !== undefined && this.#parts.clock.nowMs() - remembered.readAtMs < FRESH_MS;
    if (isFresh && fits(remembered.storedBytes)) return;
    const storedBytes = await this.#readAnew(id);
    if (fits(storedBytes)) return;
    const more = wanted.bytes === 0 ? '' : `, and this would be ${wanted.bytes} more`;
    const message = `This stack has stored ${storedBytes} of ${wanted.limit} bytes${more} (storage_bytes, plan ${caller.plan.name}). Delete images or documents first.`;
    throw new Fault('storage-quota-exceeded', message);
  }

  async #readAnew(stackId: string): Promise<number> {
    const readAtMs = this.#parts.clock.nowMs();
    const storedBytes = await this.#parts.book.storedBytes(stackId);
    if (this.#read.size >= MAX_STACKS) this.#read.clear();
    this.#read.set(stackId, { readAtMs, storedBytes });
    return storedBytes;
  }

  #comingOf(stackId: string): number {
    return this.#coming.get(stackId) ?? 0;
  }

  #settle(stackId: string, bytes: number): void {
    const left = this.#comingOf(stackId) - bytes;
    if (left > 0) this.#coming.set(stackId, left);
    else this.#coming.delete(stackId);
    // Whether they were stored is seen in the sum.
    this.#read.delete(stackId);
  }
}

/** Refuses to write so many bytes where less than the floor would be left of the free ones. */
export function requireFreeDisk(freeBytes: number, bytes = 0): void {
  if (freeBytes - bytes >= FREE_DISK_FLOOR_BYTES) return;
  throw new Fault('storage-full', 'The disk of the gateway is full: nothing can be stored for now.');
}
