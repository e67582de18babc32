import type { WordPiece } from './encoder-weights.ts';

interface Branch {
  readonly next: Map<string, Branch>;
  /** The piece that ends here; -1 if none does. */
  id: number;
  score: number;
}

/** The id of text no piece matches. */
const UNKNOWN = 0;
/** The first ids are control marks, not text. */
const MARKS = 6;
const SPACE = '▁';

/** Splits text into the most likely sequence of known pieces. */
export class WordPieces {
  readonly #root: Branch = { next: new Map(), id: -1, score: 0 };

  constructor(pieces: readonly WordPiece[]) {
    pieces.forEach(([piece, score], id) => {
      if (id >= MARKS) this.#add(piece, score, id);
    });
  }

  /** Piece ids, at most `most`; the rest of the text is ignored. */
  encode(text: string, most: number): readonly number[] {
    const symbols = symbolsOf(text);
    const { lengths, ids } = this.#bestPath(symbols);
    const pieces: number[] = [];
    for (let end = symbols.length; end > 0; end -= lengths[end] ?? 1) {
      const id = ids[end] ?? UNKNOWN;
      // A run of unknown symbols counts once.
      if (id !== UNKNOWN || pieces.at(-1) !== UNKNOWN) pieces.push(id);
    }
    return pieces.reverse().slice(0, most);
  }

  #add(piece: string, score: number, id: number): void {
    let branch = this.#root;
    for (const symbol of piece) {
      const next = branch.next.get(symbol) ?? { next: new Map(), id: -1, score: 0 };
      branch.next.set(symbol, next);
      branch = next;
    }
    branch.id = id;
    branch.score = score;
  }

  /** Viterbi: for each position, the piece that ends there on the best path. */
  #bestPath(symbols: readonly string[]): { lengths: Uint16Array; ids: Int32Array } {
    const scores = new Float64Array(symbols.length + 1).fill(-Infinity);
    const lengths = new Uint16Array(symbols.length + 1);
    const ids = new Int32Array(symbols.length + 1);
    scores[0] = 0;
    for (let start = 0; start < symbols.length; start += 1) {
      const base = scores[start] ?? 0;
      const take = (end: number, score: number, id: number) => {
        if (base + score < (scores[end] ?? 0)) return;
        scores[end] = base + score;
        lengths[end] = end - start;
        ids[end] = id;
      };
      let isKnown = false;
      let branch = this.#root.next.get(symbols[start] ?? '');
      for (let end = start + 1; branch; end += 1) {
        if (branch.id >= 0) take(end, branch.score, branch.id);
        isKnown ||= branch.id >= 0;
        branch = branch.next.get(symbols[end] ?? '');
      }
      if (!isKnown) take(start + 1, 0, UNKNOWN);
    }
    return { lengths, ids };
  }
}

function symbolsOf(text: string): readonly string[] {
  const normal = text.normalize('NFKC');
  return normal === '' ? [] : [...(SPACE + normal.replaceAll(' ', SPACE))];
}
