import type { WordPlace } from './field-finder.ts';

/** A word of the page in reading order. */
export interface OrderedWord {
  readonly row: number;
  /** In the order in which the words were given. */
  readonly index: number;
}

interface OpenRow {
  top: number;
  bottom: number;
  readonly members: number[];
}

/** A word joins one of the rows begun last; columns of different heights keep several open. */
const OPEN_ROWS = 8;
const LEAST_SHARED_HEIGHT = 0.5;
const MOST_SHARED_WIDTH = 0.5;

/**
 * Orders words by rows, each from left to right. Not the rows of the layout, which splits columns: the network was trained with
 * exactly these.
 */
export function orderWords(words: readonly WordPlace[]): readonly OrderedWord[] {
  const rows: OpenRow[] = [];
  const byMiddle = words
    .map((word, index) => ({ word, index }))
    .sort((a, b) => a.word.y0 + a.word.y1 - b.word.y0 - b.word.y1);
  for (const { word, index } of byMiddle) {
    const row = rowFor(word, rows.slice(-OPEN_ROWS), words);
    if (row === undefined) {
      rows.push({ top: word.y0, bottom: word.y1, members: [index] });
      continue;
    }
    row.members.push(index);
    row.top += (word.y0 - row.top) / row.members.length;
    row.bottom += (word.y1 - row.bottom) / row.members.length;
  }
  rows.sort((a, b) => a.top + a.bottom - b.top - b.bottom);
  const left = (index: number) => words[index]?.x0 ?? 0;
  return rows.flatMap(({ members }, row) =>
    members.toSorted((a, b) => left(a) - left(b)).map((index) => ({ row, index })),
  );
}

function rowFor(word: WordPlace, open: readonly OpenRow[], words: readonly WordPlace[]): OpenRow | undefined {
  let best: OpenRow | undefined;
  let most = LEAST_SHARED_HEIGHT;
  for (const row of open) {
    const height = Math.max(1e-9, Math.min(row.bottom - row.top, word.y1 - word.y0));
    const shared = (Math.min(row.bottom, word.y1) - Math.max(row.top, word.y0)) / height;
    if (shared <= most || row.members.some((index) => covers(words[index], word))) continue;
    best = row;
    most = shared;
  }
  return best;
}

function covers(other: WordPlace | undefined, word: WordPlace): boolean {
  if (other === undefined) return false;
  const shared = Math.min(other.x1, word.x1) - Math.max(other.x0, word.x0);
  return shared > MOST_SHARED_WIDTH * Math.min(other.x1 - other.x0, word.x1 - word.x0);
}
