import type { DocumentBlock } from '../document-block.ts';
import { CellGrid, type GridCell } from './cell-grid.ts';
import { inOneLine } from './clean-text.ts';

const MAX_COLUMN_SPAN = 256;

interface OpenCell {
  readonly texts: string[];
  columns: number;
  isContinued: boolean;
}

/** Builds one table of a Word document; its first row is the header. */
export class DocxTable {
  readonly #grid = new CellGrid();
  readonly #rows: string[] = [];
  #row: GridCell[] = [];
  #cell: OpenCell | undefined;
  /** The row above, for vertically merged cells. */
  #above: readonly string[] = [];

  enter(name: string, value: string | undefined): void {
    if (name === 'tc') this.#cell = { texts: [], columns: 1, isContinued: false };
    else if (!this.#cell) return;
    else if (name === 'gridSpan')
      this.#cell.columns = Math.min(MAX_COLUMN_SPAN, Math.max(1, Number(value) || 1));
    else if (name === 'vMerge') this.#cell.isContinued = value !== 'restart';
  }

  leave(name: string): void {
    if (name === 'tc') this.#endCell();
    if (name === 'tr') this.#endRow();
  }

  addText(text: string): void {
    if (text !== '') this.#cell?.texts.push(text);
  }

  blocks(): readonly DocumentBlock[] {
    return this.#grid.blocks();
  }

  /** The table as one text, for a nested table. */
  text(): string {
    return this.#rows.join('; ');
  }

  #endCell(): void {
    const cell = this.#cell;
    if (!cell) return;
    this.#cell = undefined;
    const column = this.#row.reduce((sum, { columns }) => sum + columns, 0);
    const text = cell.isContinued ? (this.#above[column] ?? '') : inOneLine(cell.texts.join(' '));
    this.#row.push({ text, columns: cell.columns, rows: 1 });
  }

  #endRow(): void {
    const row = this.#row;
    this.#row = [];
    if (row.length === 0) return;
    this.#above = row.flatMap(({ text, columns }) => [text, ...Array<string>(columns - 1).fill('')]);
    this.#grid.addRow(row, this.#rows.length === 0);
    this.#rows.push(row.map(({ text }) => text).join(', '));
  }
}
