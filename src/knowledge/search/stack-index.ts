import type { Chunk } from '../chunk.ts';
import type { EmbeddedChunk } from '../embedded-chunk.ts';
import type { FoundChunk } from '../knowledge-search.ts';
import { unpackVectors } from '../packed-vectors.ts';
import { ASSUMED_CHUNKS, Bm25Index } from './bm25-index.ts';
import { fusedScore, relevanceOf } from './fuse-scores.ts';
import type { Language } from './stop-words.ts';
import { VectorIndex } from './vector-index.ts';

/** What is known of a version whose chunks are indexed. */
export interface IndexedVersion {
  readonly id: string;
  readonly documentId: string;
  readonly documentName: string;
}

/** A question, and its vector where embeddings answered. */
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

/** How close two sentences are that have nothing to do with each other: what a stack of few chunks cannot show. */
const ASSUMED_COSINE = 0.2;
/** What a slot takes beside its bytes, roughly. */
const SLOT_BYTES = 200;

/** The chunks of one stack, to be searched. Versions are added page by page and seen once they are published. */
export class StackIndex {
  readonly #words = new Bm25Index();
  #vectors: VectorIndex | undefined;
  readonly #versions = new Map<string, VersionEntry>();
  /** The chunks as JSON in UTF-8, which takes less than objects. */
  readonly #chunks: Buffer[] = [];
  /** For each slot, the place of its version among those published; -1 where it is not seen. */
  #order = new Int32Array();
  #isLive = new Uint8Array();
  #liveCount = 0;
  #published: readonly VersionEntry[] = [];
  #chunkBytes = 0;
  generation: string | undefined;

  get sizeBytes(): number {
    return this.#words.sizeBytes + (this.#vectors?.sizeBytes ?? 0) + this.#chunkBytes;
  }

  /** How many of the slots are no longer, or not yet, seen. */
  get hiddenShare(): number {
    return this.#chunks.length === 0 ? 0 : 1 - this.#liveCount / this.#chunks.length;
  }

  has(versionId: string): boolean {
    return this.#versions.get(versionId)?.isComplete === true;
  }

  /** Adds the next chunks of a version; a first page drops what an interrupted load left of it. */
  add(
    version: IndexedVersion,
    chunks: readonly EmbeddedChunk[],
    page: { isFirst: boolean; isLast: boolean },
  ): void {
    const known = page.isFirst ? undefined : this.#versions.get(version.id);
    const entry: VersionEntry = known ?? { version, slots: [], language: undefined, isComplete: false };
    this.#versions.set(version.id, entry);
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

  /** From here on exactly these versions are seen, in this order; the others are forgotten. */
  publish(generation: string, versions: readonly IndexedVersion[]): void {
    const ids = new Set(versions.map(({ id }) => id));
    for (const id of [...this.#versions.keys()]) if (!ids.has(id)) this.#versions.delete(id);
    this.#order = new Int32Array(this.#chunks.length).fill(-1);
    this.#isLive = new Uint8Array(this.#chunks.length);
    this.#published = versions.flatMap((version) => {
      const entry = this.#versions.get(version.id);
      return entry ? Object.assign(entry, { version }) : [];
    });
    this.#published.forEach(({ slots }, place) => {
      for (const slot of slots) {
        this.#order[slot] = place;
        this.#isLive[slot] = 1;
      }
    });
    this.#liveCount = this.#isLive.reduce((sum, live) => sum + live, 0);
    this.#forgetHidden();
    this.generation = generation;
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

  #forgetHidden(): void {
    this.#chunks.forEach((bytes, slot) => {
      if (this.#isLive[slot] === 1 || bytes.length === 0) return;
      this.#chunkBytes -= bytes.length;
      this.#chunks[slot] = Buffer.alloc(0);
    });
  }

  /** The slots with the highest scores above 0; equal ones in the order of their documents. */
  #best(scores: Float32Array, most: number): readonly number[] {
    const order = (slot: number) => this.#order[slot] ?? 0;
    const compare = (left: number, right: number) =>
      (scores[right] ?? 0) - (scores[left] ?? 0) || order(left) - order(right) || left - right;
    const best: number[] = [];
    for (let slot = 0; slot < scores.length; slot += 1) {
      if ((scores[slot] ?? 0) <= 0) continue;
      const last = best.at(-1);
      if (best.length === most && last !== undefined && compare(slot, last) > 0) continue;
      const place = best.findIndex((other) => compare(slot, other) < 0);
      best.splice(place < 0 ? best.length : place, 0, slot);
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
