import type { PlacedWord, Row } from './placed-word.ts';

interface OpenRow {
  readonly words: PlacedWord[];
  y0: number;
  y1: number;
}

/** How many recent rows a word may still join; columns of different heights keep several open. */
const OPEN_ROWS = 8;
const MIN_OVERLAP = 0.5;

/** Groups words into rows, top to bottom. */
export function groupRows(words: readonly PlacedWord[]): readonly Row[] {
  const rows: OpenRow[] = [];
  for (const word of words.toSorted((a, b) => a.y0 + a.y1 - b.y0 - b.y1)) {
    const row = rowFor(word, rows.slice(-OPEN_ROWS));
    if (!row) {
      rows.push({ words: [word], y0: word.y0, y1: word.y1 });
      continue;
    }
    row.words.push(word);
    row.y0 += (word.y0 - row.y0) / row.words.length;
    row.y1 += (word.y1 - row.y1) / row.words.length;
  }
  for (const row of rows) row.words.sort((a, b) => a.x0 - b.x0);
  return rows.sort((a, b) => a.y0 + a.y1 - b.y0 - b.y1);
}

function rowFor(word: PlacedWord, candidates: readonly OpenRow[]): OpenRow | undefined {
  let best: OpenRow | undefined;
  let bestOverlap = MIN_OVERLAP;
  for (const row of candidates) {
    const overlap = verticalOverlap(row, word);
    if (overlap <= bestOverlap || !hasRoom(row, word)) continue;
    best = row;
    bestOverlap = overlap;
  }
  return best;
}

function verticalOverlap(row: OpenRow, word: PlacedWord): number {
  const shared = Math.min(row.y1, word.y1) - Math.max(row.y0, word.y0);
  return shared / Math.max(1e-9, Math.min(row.y1 - row.y0, word.y1 - word.y0));
}

function hasRoom(row: OpenRow, word: PlacedWord): boolean {
  return row.words.every((other) => {
    const shared = Math.min(other.x1, word.x1) - Math.max(other.x0, word.x0);
    return shared < 0.5 * Math.min(other.x1 - other.x0, word.x1 - word.x0);
  });
}
