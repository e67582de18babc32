import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { requireFreeDisk } from '../../access/storage-room.ts';
import { hasErrorCode } from '../../lib/error-code.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { readFirstSection, readIndexFile, writeIndexFile } from './index-file.ts';
import { type IndexHead, parseIndexHead } from './index-head.ts';
import { StackIndex } from './stack-index.ts';
import { newVectorMemory, vectorBytes } from './vector-index.ts';

/** How the name of an index file ends. */
export const INDEX_ENDING = '.index';

/** Where the index files of a gateway are. */
export function indexFolder(dataDir: string): string {
  return join(dataDir, 'search');
}

/** The maker of an index: one of another version of the gateway, machine or embeddings model is rebuilt. */
export function indexMaker(embeddingsModel: string): string {
  return `${packageVersion()} ${endianness()} ${embeddingsModel}`;
}

/** Who made an index file, and of which stack, and its versions. */
export function readIndexHead(path: string): IndexHead {
  return parseIndexHead(readFirstSection(path));
}

/** The indexes of stacks as files: a cache of what the database has. */
export class IndexFiles {
  readonly #folder: string;
  readonly #maker: string;
  readonly #freeBytes: (folder: string) => Promise<number>;

  constructor(folder: string, maker: string, freeBytes: (folder: string) => Promise<number>) {
    this.#folder = folder;
    this.#maker = maker;
    this.#freeBytes = freeBytes;
  }

  /** The index that was saved last; undefined if there is none that can be used. A damaged file is removed by who may. */
  read(stackId: string): StackIndex | undefined {
    const path = this.#pathOf(stackId);
    try {
      return this.#read(path, stackId);
    } catch (error) {
      // Whatever is wrong with it, the database has everything.
      if (!hasErrorCode(error, 'ENOENT', 'EACCES')) removeIfPossible(path);
      return undefined;
    }
  }

  /** Saves what is visible of an index; an index without a document has no file. */
  async save(stackId: string, index: StackIndex): Promise<void> {
    const path = this.#pathOf(stackId);
    if (index.isEmpty) return rm(path, { force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Until the new file is whole, the old one stays beside it.
    requireFreeDisk(await this.#freeBytes(this.#folder), index.sizeBytes);
    await writeIndexFile(path, index.pieces({ maker: this.#maker, stackId }));
  }

  #read(path: string, stackId: string): StackIndex | undefined {
    const memory = newVectorMemory();
    const sections = readIndexFile(path, (section, sizeBytes) =>
      section === 'vectors' ? vectorBytes(memory, sizeBytes) : new Uint8Array(sizeBytes),
    );
    const head = parseIndexHead(sections.get('head') ?? new Uint8Array());
    if (head.maker !== this.#maker || head.stackId !== stackId) return undefined;
    return StackIndex.restore(head, sections, memory);
  }

  #pathOf(stackId: string): string {
    const name = createHash('sha256').update(stackId).digest('hex').slice(0, 32);
    return join(this.#folder, `${name}${INDEX_ENDING}`);
  }
}

/** A command of another user may read the file and not remove it; the gateway will. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next index that is saved takes its place.
  }
}
