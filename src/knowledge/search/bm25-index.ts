import type { SectionPiece, Sections } from './index-file.ts';
import { LANGUAGES, type Language } from './stop-words.ts';
import { guessLanguage, prefixOf, questionWords, termsOf } from './terms.ts';
import { bufferOf, bytesOf } from './typed-bytes.ts';

/** The indexed fields of a chunk. */
export interface WordFields {
  readonly text: string;
  readonly headings: readonly string[];
  readonly documentName: string;
}

/** Which chunks are visible, by slot, and how many. */
export interface LiveChunks {
  readonly isLive: Uint8Array;
  readonly count: number;
}

/** BM25's k1: how fast repetitions of a word stop counting. */
const SATURATION = 0.9;
/** BM25's b: how much long chunks are penalised. */
const LENGTH_FRACTION = 0.75;
/** Weight of a word in a heading, or in the document's name, relative to the text. */
const HEADING_WEIGHT = 2;
const NAME_WEIGHT = 1;
/** Weight of a match by prefix only: endings and compounds that stemming misses. */
export const PREFIX_WEIGHT = 0.75;

// A posting packs the chunk's slot (high bits) and the term's count (low bits).
const COUNT_BITS = 8;
export const MAX_COUNT = 2 ** COUNT_BITS - 1;
/** Chunks per index. */
const MAX_SLOTS = 2 ** (32 - COUNT_BITS);
/** Chunks assumed on top of a stack's own: in a tiny stack no word would be rare. */
export const ASSUMED_CHUNKS = 20;
/** Approximate overhead of a map entry. */
const TERM_BYTES = 120;

/** The most that a word of weight 1 is worth in a chunk. */
export const MOST_SATURATED = SATURATION + 1;

/** How much a word that is in `found` of `count` chunks counts. */
export function rarityOf(found: number, count: number): number {
  return Math.log(1 + Math.max(0, count + ASSUMED_CHUNKS - found + 0.5) / (found + 0.5));
}

/** A word is dampened by `base`, and by `perLength` times the length of its chunk relative to the mean. */
export const DAMPENING = {
  base: SATURATION * (1 - LENGTH_FRACTION),
  perLength: SATURATION * LENGTH_FRACTION,
};

/** The worth of a word of weight 1 in a chunk that has it `count` times. */
export function saturated(count: number, relativeLength: number): number {
  const dampening = DAMPENING.base + DAMPENING.perLength * relativeLength;
  return (count * MOST_SATURATED) / (count + dampening);
}

interface Postings {
  entries: Uint32Array;
  length: number;
}

/**
 * BM25 over chunks. Each document is stemmed in its own language and a question in all languages present, so that it matches
 * whichever stem a document has.
 */
export class Bm25Index {
  readonly #postings = new Map<string, Postings>();
  readonly #languages = new Set<Language>();
  #lengths = new Float32Array(64);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes + this.#lengths.byteLength;
  }

  /** Reverses `pieces`; the postings stay where they were read. */
  static restore(sections: Sections, languages: Iterable<Language>): Bm25Index {
    const index = new Bm25Index();
    for (const language of languages) index.#languages.add(language);
    index.#lengths = new Float32Array(bufferOf(sections, 'lengths'));
    const entries = new Uint32Array(bufferOf(sections, 'postings'));
    const ends = new Uint32Array(bufferOf(sections, 'posting-ends'));
    const terms: readonly string[] = JSON.parse(Buffer.from(bufferOf(sections, 'terms')).toString());
    let start = 0;
    for (const [place, term] of terms.entries()) {
      const end = ends[place] ?? start;
      index.#postings.set(term, { entries: entries.subarray(start, end), length: end - start });
      start = end;
    }
    index.#sizeBytes = terms.length * TERM_BYTES + entries.byteLength;
    return index;
  }

  /** The index of the slots that have a new slot, which is not negative. */
  *pieces(newSlots: Int32Array): Generator<SectionPiece> {
    const lengths = new Float32Array(newSlots.reduce((count, slot) => count + (slot < 0 ? 0 : 1), 0));
    for (const [slot, newSlot] of newSlots.entries())
      if (newSlot >= 0) lengths[newSlot] = this.#lengths[slot] ?? 0;
    yield { section: 'lengths', bytes: bytesOf(lengths) };
    const terms: string[] = [];
    const ends: number[] = [];
    for (const [term, postings] of this.#postings) {
      const entries = renumbered(postings, newSlots);
      if (entries.length === 0) continue;
      terms.push(term);
      ends.push((ends.at(-1) ?? 0) + entries.length);
      yield { section: 'postings', bytes: bytesOf(entries) };
    }
    yield { section: 'posting-ends', bytes: bytesOf(Uint32Array.from(ends)) };
    // As JSON, which keeps the half characters that a prefix may end with.
    yield { section: 'terms', bytes: Buffer.from(JSON.stringify(terms)) };
  }

  /** Adds chunks of one document from `slot` on; returns their language. */
  add(slot: number, chunks: readonly WordFields[], language?: Language): Language {
    const read = language ?? guessLanguage(chunks.map(({ text }) => text).join('\n'));
    this.#languages.add(read);
    for (const [offset, chunk] of chunks.entries()) this.#addChunk(slot + offset, fieldTerms(chunk, read));
    return read;
  }

  /** Adds each chunk's score at its slot; returns the score of a chunk with every word of the question, an upper bound. */
  score(question: string, scores: Float32Array, live: LiveChunks): number {
    const languages = LANGUAGES.filter((language) => this.#languages.has(language));
    const meanLength = this.#meanLength(live);
    let most = 0;
    for (const stems of questionWords(question, languages)) {
      const prefixes = new Set([...stems].flatMap((stem) => prefixOf(stem) ?? []));
      most += this.#scoreWord(stems, { scores, live, meanLength, fraction: 1 });
      most += this.#scoreWord(prefixes, { scores, live, meanLength, fraction: PREFIX_WEIGHT });
    }
    return most * MOST_SATURATED;
  }

  #scoreWord(
    terms: ReadonlySet<string>,
    {
      scores,
      live,
      meanLength,
      fraction,
    }: { scores: Float32Array; live: LiveChunks; meanLength: number; fraction: number },
  ): number {
    if (terms.size === 0) return 0;
    const lists = [...terms].flatMap((term) => this.#postings.get(term) ?? []);
    const found = lists.reduce((sum, postings) => sum + liveEntries(postings, live.isLive), 0);
    const weight = fraction * rarityOf(found, live.count);
    for (const { entries, length } of lists) {
      for (let position = 0; position < length; position += 1) {
        const entry = entries[position] ?? 0;
        const slot = entry >>> COUNT_BITS;
        if (live.isLive[slot] !== 1) continue;
        const count = entry & MAX_COUNT;
        const relativeLength = (this.#lengths[slot] ?? 0) / meanLength;
        scores[slot] = (scores[slot] ?? 0) + weight * saturated(count, relativeLength);
      }
    }
    return weight;
  }

  /** Over visible chunks only, so that the result does not depend on history. */
  #meanLength({ isLive, count }: LiveChunks): number {
    let sum = 0;
    for (let slot = 0; slot < isLive.length; slot += 1)
      if (isLive[slot] === 1) sum += this.#lengths[slot] ?? 0;
    return sum / count || 1;
  }

  #addChunk(slot: number, counts: ReadonlyMap<string, number>): void {
    if (slot >= MAX_SLOTS) throw new RangeError(`an index holds ${MAX_SLOTS} chunks`);
    if (slot >= this.#lengths.length) {
      const lengths = new Float32Array(Math.max(slot + 1, this.#lengths.length * 2));
      lengths.set(this.#lengths);
      this.#lengths = lengths;
    }
    let total = 0;
    for (const [term, count] of counts) {
      total += count;
      this.#append(term, slot * 2 ** COUNT_BITS + Math.min(count, MAX_COUNT));
    }
    this.#lengths[slot] = total;
  }

  #append(term: string, entry: number): void {
    let postings = this.#postings.get(term);
    if (!postings) {
      postings = { entries: new Uint32Array(2), length: 0 };
      this.#postings.set(term, postings);
      this.#sizeBytes += TERM_BYTES;
    }
    if (postings.length === postings.entries.length) {
      const entries = new Uint32Array(postings.length * 2);
      entries.set(postings.entries);
      postings.entries = entries;
      this.#sizeBytes += postings.length * Uint32Array.BYTES_PER_ELEMENT;
    }
    postings.entries[postings.length] = entry;
    postings.length += 1;
  }
}

function liveEntries({ entries, length }: Postings, isLive: Uint8Array): number {
  let count = 0;
  for (let position = 0; position < length; position += 1)
    count += isLive[(entries[position] ?? 0) >>> COUNT_BITS] ?? 0;
  return count;
}

function renumbered({ entries, length }: Postings, newSlots: Int32Array): Uint32Array {
  const kept = new Uint32Array(length);
  let count = 0;
  for (let position = 0; position < length; position += 1) {
    const entry = entries[position] ?? 0;
    const newSlot = newSlots[entry >>> COUNT_BITS] ?? -1;
    if (newSlot < 0) continue;
    kept[count] = newSlot * 2 ** COUNT_BITS + (entry & MAX_COUNT);
    count += 1;
  }
  return kept.subarray(0, count);
}

/** The terms of a chunk, each with how often it counts. */
export function fieldTerms(
  { text, headings, documentName }: WordFields,
  language: Language,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string, weight: number) => {
    for (const term of termsOf(part, language)) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
      const prefix = prefixOf(term);
      if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + weight);
    }
  };
  count(text, 1);
  for (const heading of headings) count(heading, HEADING_WEIGHT);
  count(documentName, NAME_WEIGHT);
  return counts;
}
