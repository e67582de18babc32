import type { Fault } from '../faults/fault.ts';
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
  /** The chunks in memory; empty once the file is on the disk. */
  readonly #chunks: Buffer[] = [];
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
    this.#chunks.push(chunk);
    if (this.#sizeBytes > FILE_MEMORY_BYTES) this.#moveToDisk();
    return undefined;
  }

  /** All bytes, in memory. */
  async finish(): Promise<Buffer> {
    if (this.#spooled === undefined) return joined(this.#chunks);
    const noRoom = this.#room.memory.grow(this.#sizeBytes);
    if (noRoom !== undefined) throw noRoom;
    return await this.#spooled.takeBack();
  }

  drop(): void {
    this.#chunks.length = 0;
    this.#spooled?.drop();
  }

  #moveToDisk(): void {
    this.#spooled ??= this.#room.spool.open(this.#room.stackId);
    for (const chunk of this.#chunks.splice(0)) {
      const sizeBytes = chunk.length;
      this.#spooled.write(chunk, () => {
        this.#room.memory.shrink(sizeBytes);
        freeMemory(chunk);
      });
    }
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
