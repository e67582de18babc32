import type { SpanWord } from './field-finder.ts';
import type { PagePieces } from './page-pieces.ts';

/**
 * Pieces read at once, the mark for "nothing" among them, and how far the next stretch begins behind it. Memory grows with the
 * square: the 640 pieces of the training would need 290 MB, these need 230, in the same time for a long page.
 */
const [WINDOW, STEP] = [512, 312];
const SHARED = WINDOW - 1 - STEP;
/** A page of dense prose has five; a stretch takes about a quarter of a second of one core. */
const MOST_STRETCHES = 14;
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/** Pieces of a page that are read at once. They are numbered from 1; 0 is the mark for "nothing". */
export class PageStretch {
  readonly #page: PagePieces;
  readonly #start: number;
  /** Pieces, the mark included. */
  readonly size: number;
  /** Rows that begin before `first` or after `last` belong to a neighbouring stretch. */
  readonly first: number;
  readonly last: number;

  constructor(page: PagePieces, start: number) {
    const isLast = start + WINDOW - 1 >= page.pieces.length;
    this.#page = page;
    this.#start = start;
    this.size = 1 + Math.min(WINDOW - 1, page.pieces.length - start);
    this.first = start > 0 ? (SHARED >> 1) + 1 : 1;
    this.last = isLast ? WINDOW : STEP + (SHARED >> 1);
  }

  /** The features of all pieces without the mark's, one after the other. */
  get features(): readonly number[] {
    return this.#page.pieces
      .slice(this.#start, this.#start + this.size - 1)
      .flatMap(({ features }) => features);
  }

  rowOf(piece: number): number {
    return this.#page.pieces[this.#start + piece - 1]?.row ?? -1;
  }

  /** The word of a piece, in reading order. */
  wordOf(piece: number): number {
    return this.#page.pieces[this.#start + piece - 1]?.word ?? -1;
  }

  /** The words of pieces and their text. A cut between letters or digits is moved outwards; a label that sticks to a value stays out. */
  spanOf(pieces: readonly number[]): { readonly text: string; readonly words: readonly SpanWord[] } {
    const cuts = new Map<number, { start: number; end: number }>();
    for (const piece of pieces) {
      const { word, start, end } = this.#page.pieces[this.#start + piece - 1] ?? {
        word: -1,
        start: 0,
        end: 0,
      };
      const cut = cuts.get(word) ?? { start, end };
      cuts.set(word, { start: Math.min(start, cut.start), end: Math.max(end, cut.end) });
    }
    const words = Array.from(cuts)
      .toSorted(([one], [other]) => one - other)
      .flatMap(([order, cut]) => {
        const word = this.#page.words[order];
        return word === undefined ? [] : [{ text: word.text, word: word.index, ...whole(word.text, cut) }];
      });
    return {
      text: words.map(({ text, start, end }) => text.slice(start, end)).join(' '),
      words: words.map(({ word, start, end }) => ({ word, start, end })),
    };
  }
}

/** The stretches of a page, overlapping; a longer page is read in part. */
export function stretchesOf(page: PagePieces): readonly PageStretch[] {
  const stretches: PageStretch[] = [];
  for (let start = 0; start < page.pieces.length && stretches.length < MOST_STRETCHES; start += STEP) {
    stretches.push(new PageStretch(page, start));
    if (start + WINDOW - 1 >= page.pieces.length) break;
  }
  return stretches;
}

function whole(text: string, cut: { readonly start: number; readonly end: number }) {
  let { start, end } = cut;
  const isDigit = (index: number) => /\d/.test(text[index] ?? '');
  // A point or comma between digits belongs to their run.
  const isInner = (index: number) =>
    ALPHANUMERIC.test(text[index] ?? '') ||
    (/[.,]/.test(text[index] ?? '') && isDigit(index - 1) && isDigit(index + 1));
  while (start > 0 && isInner(start) && isInner(start - 1)) start -= 1;
  while (end < text.length && isInner(end - 1) && isInner(end)) end += 1;
  return { start, end };
}
