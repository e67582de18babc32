import { Parser } from 'htmlparser2';

/** The text and the tables of an HTML document, as a reader sees them. */
export interface DraftPage {
  /** Lines of text, in order; a cell of a table has lines of its own. */
  readonly lines: readonly string[];
  readonly tables: readonly DraftTable[];
}

/** Rows of cells. */
export type DraftTable = readonly (readonly DraftCell[])[];

export interface DraftCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** Elements whose text is not printed. */
const UNPRINTED: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'title']);
/** Elements that do not end a line. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time tspan u var wbr'.split(
    ' ',
  ),
);

/** The text and the tables of a document, whatever its styles are. */
export function readPage(html: string): DraftPage {
  const reader = new PageReader();
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text),
  });
  parser.end(html);
  return reader.page();
}

interface OpenCell extends Omit<DraftCell, 'text'> {
  readonly firstLine: number;
}

class PageReader {
  readonly #lines: string[] = [];
  readonly #tables: DraftCell[][][] = [];
  #line = '';
  /** How many open elements are not printed. */
  #unprinted = 0;
  /** How many tables are open, one within the other. */
  #depth = 0;
  #cell: OpenCell | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (UNPRINTED.has(name)) this.#unprinted += 1;
    if (!INLINE.has(name)) this.#endLine();
    if (name === 'table') {
      this.#depth += 1;
      if (this.#depth === 1) this.#tables.push([]);
    } else if (this.#depth === 1) this.#openInTable(name, attributes);
  }

  close(name: string): void {
    if (UNPRINTED.has(name)) this.#unprinted -= 1;
    if (!INLINE.has(name)) this.#endLine();
    if (name === 'table') this.#depth -= 1;
    else if (this.#depth === 1 && (name === 'td' || name === 'th')) this.#endCell();
  }

  text(text: string): void {
    if (this.#unprinted === 0) this.#line += text;
  }

  page(): DraftPage {
    this.#endLine();
    return { lines: this.#lines, tables: this.#tables };
  }

  #openInTable(name: string, { colspan, rowspan }: Readonly<Record<string, string>>): void {
    if (name === 'tr') this.#tables.at(-1)?.push([]);
    if (name === 'td' || name === 'th')
      this.#cell = { columns: spanOf(colspan), rows: spanOf(rowspan), firstLine: this.#lines.length };
  }

  #endLine(): void {
    const line = this.#line.replaceAll(/\s+/g, ' ').trim();
    if (line !== '') this.#lines.push(line);
    this.#line = '';
  }

  #endCell(): void {
    if (this.#cell === undefined) return;
    const { firstLine, ...spans } = this.#cell;
    this.#tables
      .at(-1)
      ?.at(-1)
      ?.push({ ...spans, text: this.#lines.slice(firstLine).join(' ') });
    this.#cell = undefined;
  }
}

function spanOf(attribute: string | undefined): number {
  const span = Number.parseInt(attribute ?? '1', 10);
  return Number.isNaN(span) ? 1 : span;
}
