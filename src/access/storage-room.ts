import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';

/** Bytes a stack has stored: images, files, documents, responses and conversations. */
export interface StorageBook {
  storedBytes(stackId: string): Promise<number>;
}

export interface StorageRoomParts {
  readonly book: StorageBook;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Free bytes on the disk; undefined if files are stored elsewhere. */
  readonly freeBytes: () => Promise<number | undefined>;
}

/** Reserved on the disk for the database, which everything else needs. */
export const FREE_DISK_FLOOR_BYTES = 256 * 1024 * 1024;
/** How long a sum is cached for admission; before a refusal it is always read again. */
const FRESH_MS = 5_000;
const MAX_STACKS = 1_000;

interface StackBytes {
  readonly readAtMs: number;
  readonly storedBytes: number;
}

/** Checks for storage space, on the disk and within the stack's quota, before any work is done. */
export class StorageRoom {
  readonly #parts: StorageRoomParts;
  readonly #read = new Map<string, StackBytes>();
  /** Bytes being stored, by stack. */
  readonly #coming = new Map<string, number>();

  constructor(parts: StorageRoomParts) {
    this.#parts = parts;
  }

  /**
   * Reserves space until it is disposed. With an unknown size pass 0: one more item is stored as long as the quota is not
   * reached.
   */
  async take(caller: Caller, bytes: number): Promise<Disposable> {
    await this.requireDisk(bytes);
    const limit = caller.plan.limits.storageBytes;
    const { id } = caller.stack;
    if (limit !== null) await this.#requireQuota(caller, { limit, bytes });
    this.#coming.set(id, this.#comingOf(id) + bytes);
    return { [Symbol.dispose]: () => this.#settle(id, bytes) };
  }

  /** Throws if the stack has reached its quota; reserves nothing. */
  async check(caller: Caller): Promise<void> {
    const limit = caller.plan.limits.storageBytes;
    if (limit !== null) await this.#requireQuota(caller, { limit, bytes: 0 });
  }

  storedBytes({ stack }: Caller): Promise<number> {
    return this.#parts.book.storedBytes(stack.id);
  }

  /** Throws if the disk has too little room for the bytes. */
  async requireDisk(bytes: number): Promise<void> {
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
    const message = `This stack has stored ${storedBytes} of ${wanted.limit} bytes${more} (storage_bytes, plan ${caller.plan.name}). Delete images, files, documents or responses first.`;
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
    // The next sum shows whether they were stored.
    this.#read.delete(stackId);
  }
}

/** Throws if writing would leave less than the floor. */
export function requireFreeDisk(freeBytes: number, bytes = 0): void {
  if (freeBytes - bytes >= FREE_DISK_FLOOR_BYTES) return;
  throw new Fault('storage-full', 'The disk of the gateway is full: nothing can be stored for now.');
}
