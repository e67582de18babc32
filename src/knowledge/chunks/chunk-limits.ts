/** How long chunks are, in weights: see `weightOf`. */
export interface ChunkLimits {
  /** Pieces are merged up to this. */
  readonly target: number;
  /** Upper bound of a chunk. */
  readonly most: number;
  /** A chunk below this is merged with its neighbour under the same heading, if both fit. */
  readonly small: number;
  /** How much text is repeated where a sentence had to be cut. */
  readonly overlap: number;
}

/**
 * About 200 words: sentence encoders average their input, so longer passages blur, and about five of these fit an excerpt of
 * 2,000 tokens.
 */
export const defaultChunkLimits: ChunkLimits = { target: 1_300, most: 1_800, small: 300, overlap: 150 };

/** A character of a script without spaces says as much as this many letters, and costs a model about as much. */
const WIDE_WEIGHT = 3;
const MAY_BE_WIDE = /[\u0e00-\uffff]/;

/** The reading size of a text: its length, with characters of scripts without spaces counted more. */
export function weightOf(text: string): number {
  if (!MAY_BE_WIDE.test(text)) return text.length;
  let weight = 0;
  for (let index = 0; index < text.length; index += 1) weight += weightAt(text, index);
  return weight;
}

/** The weight of one character. */
export function weightAt(text: string, index: number): number {
  return isWide(text.charCodeAt(index)) ? WIDE_WEIGHT : 1;
}

/** Thai to Burmese, Khmer, and everything from the CJK radicals on, surrogates included. */
export function isWide(code: number): boolean {
  if (code < 0x0e00) return false;
  return (
    code <= 0x0eff ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    code >= 0x2e80
  );
}
