import type { PagedMemory } from '../../lib/wasm/wasm-instance.ts';
import type { Chunk } from '../chunk.ts';
import type { EmbeddedChunk } from '../embedded-chunk.ts';
import type { FoundChunk } from '../knowledge-search.ts';
import { unpackVectors } from '../packed-vectors.ts';
import { ASSUMED_CHUNKS, Bm25Index } from './bm25-index.ts';
import { fusedScore, relevanceOf } from './fuse-scores.ts';
import type { SectionPiece, Sections } from './index-file.ts';
import type { IndexHead } from './index-head.ts';
import type { Language } from './stop-words.ts';
import { bufferOf, bytesOf } from './typed-bytes.ts';
import { VectorIndex } from './vector-index.ts';

/** A version whose chunks are indexed. */
export interface IndexedVersion {
  readonly id: string;
  readonly documentId: string;
  readonly documentName: string;
}

/** A question, with its vector unless embeddings failed. */
export interface Query {
  readonly question: string;
  readonly vector: Float32Array | undefined;
  readonly most: number;
}

interface VersionEntry {
  version: IndexedVersion;
  readonly slots: number[];
  language: Language | undefined;
  isComplete: boolean;
}

/** Cosine of unrelated sentences, assumed where a stack has too few chunks to measure it. */
export const ASSUMED_COSINE = 0.2;
/** Approximate overhead per slot. */
const SLOT_BYTES = 200;

/** The searchable chunks of one stack. Versions are added page by page and visible once published. */
export class StackIndex {
  #words = new Bm25Index();
  #vectors: VectorIndex | undefined;
  readonly #versions = new Map<string, VersionEntry>();
  /** Chunks as UTF-8 JSON, which is smaller than objects. */
  readonly #chunks: Buffer[] = [];
  /** By slot: the rank of its version among the published ones; -1 if hidden. */
  #order = new Int32Array();
  #isLive = new Uint8Array();
  #liveCount = 0;
  #published: readonly VersionEntry[] = [];
  #chunkBytes = 0;
  /** Slots that were read from a file: their chunks share one buffer. */
  #restoredSlots = 0;
  generation: string | undefined;
  /** Whether the visible chunks are those of the file that was read or written last. */
  isSaved = false;

  /** Reverses `pieces`. Nothing is visible until it is published. */
  static restore(head: IndexHead, sections: Sections, vectorMemory: PagedMemory): StackIndex {
    const index = new StackIndex();
    const languages = head.versions.flatMap(({ language }) => language ?? []);
    index.#words = Bm25Index.restore(sections, languages);
    if (head.dimensions !== undefined)
      index.#vectors = VectorIndex.restore(head.dimensions, sections, vectorMemory);
    index.#restoreChunks(sections);
    let slot = 0;
    for (const { language, chunks, ...version } of head.versions) {
      const first = slot;
      const slots = Array.from({ length: chunks }, (_, position) => first + position);
      index.#versions.set(version.id, { version, slots, language, isComplete: true });
      slot += chunks;
    }
    index.isSaved = true;
    return index;
  }

  get sizeBytes(): number {
    return this.#words.sizeBytes + (this.#vectors?.sizeBytes ?? 0) + this.#chunkBytes;
  }

  /** Fraction of slots that are not visible. */
  get hiddenFraction(): number {
    return this.#chunks.length === 0 ? 0 : 1 - this.#liveCount / this.#chunks.length;
  }

  get isEmpty(): boolean {
    return this.#liveCount === 0;
  }

  has(versionId: string): boolean {
    return this.#versions.get(versionId)?.isComplete === true;
  }

  /** Adds a page of a version; the first page discards an interrupted load. */
  add(
    version: IndexedVersion,
    chunks: readonly EmbeddedChunk[],
    page: { isFirst: boolean; isLast: boolean },
  ): void {
    const known = page.isFirst ? undefined : this.#versions.get(version.id);
    const entry: VersionEntry = known ?? { version, slots: [], language: undefined, isComplete: false };
    this.#versions.set(version.id, entry);
    this.isSaved = false;
    const first = this.#chunks.length;
    const fields = chunks.map(({ text, headings }) => ({
      text,
      headings,
      documentName: version.documentName,
    }));
    if (chunks.length > 0) entry.language = this.#words.add(first, fields, entry.language);
    for (const [index, chunk] of chunks.entries()) this.#addChunk(entry, first + index, chunk);
    entry.isComplete = page.isLast;
  }

  /** Makes exactly these versions visible, in this order; forgets the others. */
  publish(generation: string, versions: readonly IndexedVersion[]): void {
    const ids = new Set(versions.map(({ id }) => id));
    for (const id of [...this.#versions.keys()])
      if (!ids.has(id) && this.#versions.delete(id)) this.isSaved = false;
    this.#order = new Int32Array(this.#chunks.length).fill(-1);
    this.#isLive = new Uint8Array(this.#chunks.length);
    this.#published = versions.flatMap((version) => {
      const entry = this.#versions.get(version.id);
      return entry ? Object.assign(entry, { version }) : [];
    });
    this.#published.forEach(({ slots }, position) => {
      for (const slot of slots) {
        this.#order[slot] = position;
        this.#isLive[slot] = 1;
      }
    });
    this.#liveCount = this.#isLive.reduce((sum, live) => sum + live, 0);
    this.#forgetHidden();
    this.generation = generation;
  }

  /**
   * The visible chunks for an index file, without gaps. The index may change meanwhile: slots are only added, and what is
   * visible is taken down at the first piece.
   */
  *pieces(origin: Pick<IndexHead, 'maker' | 'stackId'>): Generator<SectionPiece> {
    const slots = this.#published.flatMap((entry) => entry.slots);
    const chunks = slots.map((slot) => this.#chunks[slot] ?? Buffer.alloc(0));
    const newSlots = new Int32Array(this.#chunks.length).fill(-1);
    for (const [newSlot, slot] of slots.entries()) newSlots[slot] = newSlot;
    const vectors = this.#vectors;
    const head: IndexHead = {
      ...origin,
      generation: this.generation ?? '',
      versions: this.#published.map(({ version, language, slots: { length } }) => ({
        id: version.id,
        documentId: version.documentId,
        documentName: version.documentName,
        language,
        chunks: length,
      })),
      dimensions: vectors?.dimensions,
    };
    yield { section: 'head', bytes: Buffer.from(JSON.stringify(head)) };
    yield { section: 'chunk-lengths', bytes: bytesOf(Uint32Array.from(chunks, ({ length }) => length)) };
    for (const bytes of chunks) yield { section: 'chunks', bytes };
    yield* this.#words.pieces(newSlots);
    if (vectors) yield* vectors.pieces(newSlots);
  }

  search({ question, vector, most }: Query): readonly FoundChunk[] {
    const slots = this.#order.length;
    const words = new Float32Array(slots);
    const mostWords = this.#words.score(question, words, { isLive: this.#isLive, count: this.#liveCount });
    const cosines = new Float32Array(slots);
    const hasMeaning = vector !== undefined && (this.#vectors?.score(vector, cosines) ?? false);
    const bounds = {
      bestWords: words.reduce((best, score) => Math.max(best, score), 0),
      mostWords,
      meanMeaning: this.#meanOf(cosines),
    };
    const fitOf = (slot: number) => ({
      words: words[slot] ?? 0,
      meaning: hasMeaning ? (cosines[slot] ?? 0) : undefined,
    });
    const scores = new Float32Array(slots);
    for (let slot = 0; slot < slots; slot += 1)
      if (this.#isLive[slot] === 1) scores[slot] = fusedScore(fitOf(slot), bounds);
    return this.#best(scores, most).map((slot) => {
      const fit = fitOf(slot);
      return { ...this.#found(slot), score: scores[slot] ?? 0, ...fit, relevance: relevanceOf(fit, bounds) };
    });
  }

  #meanOf(cosines: Float32Array): number {
    let sum = ASSUMED_CHUNKS * ASSUMED_COSINE;
    for (let slot = 0; slot < cosines.length; slot += 1)
      if (this.#isLive[slot] === 1) sum += cosines[slot] ?? 0;
    return sum / (this.#liveCount + ASSUMED_CHUNKS);
  }

  #addChunk(entry: VersionEntry, slot: number, { vectors, ...chunk }: EmbeddedChunk): void {
    const bytes = Buffer.from(JSON.stringify(chunk));
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length + SLOT_BYTES;
    entry.slots.push(slot);
    const packed = unpackVectors(vectors);
    if (!packed) return;
    this.#vectors ??= new VectorIndex(packed.dimensions);
    this.#vectors.add(slot, packed);
  }

  #restoreChunks(sections: Sections): void {
    const bytes = Buffer.from(bufferOf(sections, 'chunks'));
    let start = 0;
    for (const length of new Uint32Array(bufferOf(sections, 'chunk-lengths'))) {
      this.#chunks.push(bytes.subarray(start, start + length));
      start += length;
    }
    this.#restoredSlots = this.#chunks.length;
    this.#chunkBytes = bytes.length + this.#chunks.length * SLOT_BYTES;
  }

  #forgetHidden(): void {
    this.#chunks.forEach((bytes, slot) => {
      if (this.#isLive[slot] === 1 || bytes.length === 0) return;
      if (slot >= this.#restoredSlots) this.#chunkBytes -= bytes.length;
      this.#chunks[slot] = Buffer.alloc(0);
    });
  }

  /** The slots with the highest positive scores; ties in document order. */
  #best(scores: Float32Array, most: number): readonly number[] {
    const order = (slot: number) => this.#order[slot] ?? 0;
    const compare = (left: number, right: number) =>
      (scores[right] ?? 0) - (scores[left] ?? 0) || order(left) - order(right) || left - right;
    const best: number[] = [];
    for (let slot = 0; slot < scores.length; slot += 1) {
      if ((scores[slot] ?? 0) <= 0) continue;
      const last = best.at(-1);
      if (best.length === most && last !== undefined && compare(slot, last) > 0) continue;
      const position = best.findIndex((other) => compare(slot, other) < 0);
      best.splice(position < 0 ? best.length : position, 0, slot);
      if (best.length > most) best.pop();
    }
    return best;
  }

  #found(slot: number): Chunk & { documentId: string; documentName: string } {
    const entry = this.#published[this.#order[slot] ?? 0];
    if (!entry) throw new Error('a slot without a document was found');
    const chunk: Chunk = JSON.parse(this.#chunks[slot]?.toString() ?? '');
    const { documentId, documentName } = entry.version;
    return { ...chunk, documentId, documentName };
  }
}
