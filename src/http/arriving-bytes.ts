import type { Fault } from '../faults/fault.ts';
import { ByteSlabs, joined } from '../lib/byte-slabs.ts';
import { freeMemory } from '../lib/free-memory.ts';
import type { HeldMemory } from './body-memory.ts';
import type { BodySink } from './body-sink.ts';
import type { SpooledFile, UploadSpool } from './upload-spool.ts';

/** Larger files are kept on the disk while they arrive. */
const FILE_MEMORY_BYTES = 1024 * 1024;

/** The memory and disk for files that arrive. */
export interface ArrivalRoom {
  readonly memory: HeldMemory;
  readonly stackId: string;
  readonly spool: UploadSpool;
}

/** The bytes of a file while they arrive: in memory at first, on the disk when there are many. */
export class ArrivingBytes implements BodySink {
  readonly #room: ArrivalRoom;
  /** In memory, until the disk is free. */
  readonly #slabs = new ByteSlabs();
  #spooled: SpooledFile | undefined;
  #sizeBytes = 0;

  constructor(room: ArrivalRoom) {
    this.#room = room;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get congestion(): Promise<void> | undefined {
    return this.#spooled?.congestion;
  }

  add(chunk: Buffer): Fault | undefined {
    const noRoom = this.#room.memory.grow(chunk.length);
    if (noRoom !== undefined) return noRoom;
    this.#sizeBytes += chunk.length;
    this.#slabs.add(chunk);
    if (this.#sizeBytes > FILE_MEMORY_BYTES) this.#moveToDisk();
    return undefined;
  }

  /** All bytes, in memory. */
  async finish(): Promise<Buffer> {
    if (this.#spooled === undefined) return joined(this.#slabs.takeAll());
    this.#write(this.#spooled, this.#slabs.takeAll());
    const noRoom = this.#room.memory.grow(this.#sizeBytes);
    if (noRoom !== undefined) throw noRoom;
    return await this.#spooled.takeBack();
  }

  drop(): void {
    for (const piece of this.#slabs.takeAll()) freeMemory(piece);
    this.#spooled?.drop();
  }

  #moveToDisk(): void {
    this.#spooled ??= this.#room.spool.open(this.#room.stackId);
    // While the disk is busy, small chunks are gathered.
    this.#write(this.#spooled, this.#spooled.isBusy ? this.#slabs.takeFull() : this.#slabs.takeAll());
  }

  #write(spooled: SpooledFile, pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      const sizeBytes = piece.length;
      spooled.write(piece, () => {
        this.#room.memory.shrink(sizeBytes);
        freeMemory(piece);
        if (!spooled.isBusy) this.#moveToDisk();
      });
    }
  }
}
