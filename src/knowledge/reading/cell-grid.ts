import type { DocumentBlock } from '../document-block.ts';

/** A cell as written, before its columns are known. */
export interface GridCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** Wider tables are not meant for reading. */
const MAX_COLUMNS = 256;

interface GridRow {
  readonly cells: readonly string[];
  readonly isHeader: boolean;
}

/**
 * The rows of a table with spanning cells. A cell that spans rows is repeated in each, so that rows can be understood alone; one
 * that spans columns is in the first only, or in all if it is a header.
 */
export class CellGrid {
  readonly #rows: GridRow[] = [];
  #below = new Map<number, { text: string; rows: number }>();

  addRow(cells: readonly GridCell[], isHeader: boolean): void {
    const row: string[] = [];
    const below = new Map<number, { text: string; rows: number }>();
    const put = (text: string, rows: number) => {
      if (rows > 1) below.set(row.length, { text, rows: rows - 1 });
      row.push(text);
    };
    const putFromAbove = () => {
      for (let above = this.#below.get(row.length); above; above = this.#below.get(row.length)) {
        put(above.text, above.rows);
      }
    };
    for (const cell of cells) {
      for (let column = 0; column < cell.columns; column += 1) {
        if (column === 0) putFromAbove();
        if (row.length >= MAX_COLUMNS) break;
        put(column === 0 || isHeader ? cell.text : '', cell.rows);
      }
    }
    putFromAbove();
    this.#below = below;
    if (row.some((text) => text !== '')) this.#rows.push({ cells: row, isHeader });
  }

  /** A table, or paragraphs if there is only one row or column: then it was used for layout. */
  blocks(): readonly DocumentBlock[] {
    const rows = this.#rows.map(({ cells }) => cells);
    if (rows.length < 2 || rows.every(({ length }) => length < 2)) {
      const texts = rows.flat().filter((text) => text !== '');
      return texts.map((text) => ({ type: 'paragraph', text }));
    }
    const body = this.#rows.findIndex(({ isHeader }) => !isHeader);
    const headers = body === -1 ? 1 : body;
    return [{ type: 'table', header: joinHeaders(rows.slice(0, headers)), rows: rows.slice(headers) }];
  }
}

/** Merges stacked header rows into one. */
function joinHeaders(headers: readonly (readonly string[])[]): readonly string[] {
  const width = headers.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: width }, (_, column) => {
    const names = headers.map((row) => row[column] ?? '').filter((name) => name !== '');
    return [...new Set(names)].join(' ');
  });
}
