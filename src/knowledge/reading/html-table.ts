import type { DocumentBlock } from '../document-block.ts';
import { CellGrid, type GridCell } from './cell-grid.ts';
import { inOneLine } from './clean-text.ts';
import type { Attributes } from './html-elements.ts';

const MAX_COLUMN_SPAN = 256;
const MAX_ROW_SPAN = 1_000;

/** Builds one table of an HTML document. */
export class HtmlTable {
  readonly #grid = new CellGrid();
  readonly #texts: string[] = [];
  readonly #before: string[] = [];
  #row: GridCell[] = [];
  #isNames = true;
  #cell: { readonly texts: string[]; readonly attributes: Attributes } | undefined;
  #isHead = false;

  enter(name: string, attributes: Attributes): void {
    if (name === 'thead') this.#isHead = true;
    if (name === 'tr') this.#endRow();
    if (name !== 'td' && name !== 'th') return;
    this.#endCell();
    this.#cell = { texts: [], attributes };
    if (name === 'td') this.#isNames = false;
  }

  leave(name: string): void {
    if (name === 'td' || name === 'th') this.#endCell();
    if (name === 'tr' || name === 'thead') this.#endRow();
    if (name === 'thead') this.#isHead = false;
  }

  /** Adds text of a cell, or outside of cells, like a caption. */
  addText(text: string): true {
    this.#texts.push(text);
    (this.#cell?.texts ?? this.#before).push(text);
    return true;
  }

  blocks(): readonly DocumentBlock[] {
    this.#endRow();
    return [...paragraphs(this.#before), ...this.#grid.blocks()];
  }

  /** Its texts so far, without rows. */
  dissolved(): readonly DocumentBlock[] {
    return paragraphs(this.#texts);
  }

  #endCell(): void {
    const cell = this.#cell;
    if (!cell) return;
    this.#cell = undefined;
    this.#row.push({
      text: inOneLine(cell.texts.join(' ')),
      columns: spanOf(cell.attributes.colspan, MAX_COLUMN_SPAN),
      rows: spanOf(cell.attributes.rowspan, MAX_ROW_SPAN),
    });
  }

  #endRow(): void {
    this.#endCell();
    if (this.#row.length > 0) this.#grid.addRow(this.#row, this.#isHead || this.#isNames);
    this.#row = [];
    this.#isNames = true;
  }
}

function paragraphs(texts: readonly string[]): readonly DocumentBlock[] {
  return texts.map((text) => ({ type: 'paragraph', text }));
}

function spanOf(value: string | undefined, most: number): number {
  const span = Math.trunc(Number(value));
  return span >= 1 ? Math.min(span, most) : 1;
}
