import type { EmbeddedChunk } from '../embedded-chunk.ts';
import { unpackVectors } from '../packed-vectors.ts';
import { fieldTerms, MAX_COUNT } from './bm25-index.ts';
import type { Language } from './stop-words.ts';

/** Chunks of one document. */
export interface PassageBatch {
  readonly documentName: string;
  readonly language: Language;
  readonly chunks: readonly EmbeddedChunk[];
}

/** A chunk as PostgreSQL indexes it. */
export interface PassageRow {
  readonly ordinal: number;
  /** The sum of the counts of its terms. */
  readonly length: number;
  /** A tsvector: a term that counts three times has three positions. */
  readonly words: string;
  /** Each a vector in the notation of pgvector; all have `dimensions` numbers. */
  readonly vectors: readonly string[];
  readonly dimensions: number;
}

/** As many digits as half precision keeps of numbers of such a size. */
const DIGITS = 1e5;

/** The rows of chunks, with the terms that the embedded index would have. */
export function passageRows({ documentName, language, chunks }: PassageBatch): readonly PassageRow[] {
  return chunks.map(({ position, text, headings, vectors }) => {
    const terms = [...fieldTerms({ text, headings, documentName }, language)];
    const length = terms.reduce((sum, [, count]) => sum + count, 0);
    return { ordinal: position, length, words: terms.map(writtenTerm).join(' '), ...unpacked(vectors) };
  });
}

/** A term in the notation of tsvector and tsquery. */
export function quotedTerm(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** A vector in the notation of pgvector. */
export function writtenVector(numbers: Iterable<number>): string {
  return `[${Array.from(numbers, (number) => Math.round(number * DIGITS) / DIGITS).join(',')}]`;
}

/** Without positions, a term counts once. */
function writtenTerm([term, count]: readonly [string, number]): string {
  if (count === 1) return quotedTerm(term);
  const positions = Array.from({ length: Math.min(count, MAX_COUNT) }, (_, place) => place + 1);
  return `${quotedTerm(term)}:${positions.join(',')}`;
}

function unpacked(vectors: Uint8Array): Pick<PassageRow, 'vectors' | 'dimensions'> {
  const packed = unpackVectors(vectors);
  if (!packed) return { vectors: [], dimensions: 0 };
  const { dimensions, scales, numbers } = packed;
  const texts = Array.from(scales, (scale, place) => {
    const steps = numbers.subarray(place * dimensions, (place + 1) * dimensions);
    return writtenVector(Float32Array.from(steps, (step) => step * scale));
  });
  return { vectors: texts, dimensions };
}
