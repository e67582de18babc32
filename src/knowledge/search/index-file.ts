import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { z } from 'zod';

/** Some bytes of a section of an index file; the pieces of a section follow one another. */
export interface SectionPiece {
  readonly section: string;
  readonly bytes: Uint8Array;
}

/** Makes the place for a section of that many bytes. */
export type Allocate = (section: string, sizeBytes: number) => Uint8Array<ArrayBuffer>;

/** The sections of an index file by name. */
export type Sections = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The file is not whole, or not of this format. */
export class IndexFileDamaged extends Error {}

// The number counts up when the sections change, or when words are cut, stemmed or counted in another way.
const MAGIC = Buffer.from('sgindex2');
const HASH_BYTES = 32;
/** After the sections: their names and lengths, the length of that list, and the hash of everything before it. */
const TRAILER_BYTES = 4 + HASH_BYTES;
/** Bytes that are written, or read and hashed, at once. */
const BLOCK_BYTES = 2 ** 20;

const sectionList = z.array(z.tuple([z.string(), z.int().nonnegative()]));
type SectionList = z.infer<typeof sectionList>;

/** Writes a file aside and puts it in place when it is whole. Between blocks, other work of the thread goes on. */
export async function writeIndexFile(path: string, pieces: Iterable<SectionPiece>): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await using file = await open(aside, 'w', 0o600);
    await new IndexFileWriter(file).write(pieces);
    await file.sync();
    await rename(aside, path);
  } catch (error) {
    await unlink(aside).catch(() => {});
    throw error;
  }
}

/** The sections of a file, each in the place that `allocate` made for it. Throws unless every byte is as it was written. */
export function readIndexFile(path: string, allocate: Allocate): Sections {
  const descriptor = openSync(path, 'r');
  try {
    const { sections, tail, hash } = readTail(descriptor);
    const sum = createHash('sha256');
    readHashed(descriptor, new Uint8Array(MAGIC.length), { position: 0, sum });
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    let position = MAGIC.length;
    for (const [section, sizeBytes] of sections) {
      const bytes = allocate(section, sizeBytes);
      readHashed(descriptor, bytes, { position, sum });
      found.set(section, bytes);
      position += sizeBytes;
    }
    if (!sum.update(tail).digest().equals(hash))
      throw new IndexFileDamaged('the bytes do not match their hash');
    return found;
  } finally {
    closeSync(descriptor);
  }
}

/** The first section of a file, without a check of the others. */
export function readFirstSection(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const { sections } = readTail(descriptor);
    return readExactly(descriptor, new Uint8Array(sections[0]?.[1] ?? 0), MAGIC.length);
  } finally {
    closeSync(descriptor);
  }
}

class IndexFileWriter {
  readonly #file: FileHandle;
  readonly #sum = createHash('sha256');
  readonly #sections: [string, number][] = [];
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #filled = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(pieces: Iterable<SectionPiece>): Promise<void> {
    await this.#append(MAGIC);
    for (const { section, bytes } of pieces) {
      const last = this.#sections.at(-1);
      if (last?.[0] === section) last[1] += bytes.length;
      else this.#sections.push([section, bytes.length]);
      await this.#append(bytes);
    }
    const list = Buffer.from(JSON.stringify(this.#sections));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(list.length);
    await this.#append(list);
    await this.#append(length);
    await this.#flush();
    await this.#file.writeFile(this.#sum.digest());
  }

  async #append(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled === BLOCK_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled);
    this.#sum.update(block);
    await this.#file.writeFile(block);
    this.#filled = 0;
  }
}

function readTail(descriptor: number): { sections: SectionList; tail: Uint8Array; hash: Uint8Array } {
  const { size } = fstatSync(descriptor);
  if (size < MAGIC.length + TRAILER_BYTES) throw new IndexFileDamaged('the file is too short');
  const magic = readExactly(descriptor, new Uint8Array(MAGIC.length), 0);
  if (!MAGIC.equals(magic)) throw new IndexFileDamaged('the file is of another format');
  const trailer = Buffer.from(readExactly(descriptor, new Uint8Array(TRAILER_BYTES), size - TRAILER_BYTES));
  const listBytes = trailer.readUInt32LE();
  const listStart = size - TRAILER_BYTES - listBytes;
  if (listStart < MAGIC.length) throw new IndexFileDamaged('the list of sections is too long');
  const tail = readExactly(descriptor, new Uint8Array(listBytes + 4), listStart);
  const sections = parsedSections(tail.subarray(0, listBytes));
  const sum = sections.reduce((total, [, sizeBytes]) => total + sizeBytes, MAGIC.length);
  if (sum !== listStart) throw new IndexFileDamaged('the sections do not fill the file');
  return { sections, tail, hash: trailer.subarray(4) };
}

function parsedSections(bytes: Uint8Array): SectionList {
  try {
    return sectionList.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch (error) {
    throw new IndexFileDamaged('the list of sections cannot be read', { cause: error });
  }
}

function readHashed(
  descriptor: number,
  target: Uint8Array,
  { position, sum }: { position: number; sum: Hash },
): void {
  for (let from = 0; from < target.length; from += BLOCK_BYTES) {
    const block = target.subarray(from, from + BLOCK_BYTES);
    sum.update(readExactly(descriptor, block, position + from));
  }
}

function readExactly(descriptor: number, target: Uint8Array, position: number): Uint8Array {
  for (let done = 0; done < target.length; ) {
    const count = readSync(descriptor, target, done, target.length - done, position + done);
    if (count === 0) throw new IndexFileDamaged('the file ends early');
    done += count;
  }
  return target;
}
