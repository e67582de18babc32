import type { DocumentBlock } from '../document-block.ts';
import { inOneLine } from './clean-text.ts';
import { delimitedRows } from './delimited-rows.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** How much is sampled to detect the delimiter. */
const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_ROWS = 50;

/** One table; the first row is the header unless it looks like the others. */
export function csvBlocks(text: string): readonly DocumentBlock[] {
  const [, declared] = /^sep=(.)\n/.exec(text) ?? [];
  const content = declared === undefined ? text : text.slice(text.indexOf('\n') + 1);
  const rows = [...rowsOf(content, declared ?? delimiterOf(content))];
  const [first, ...rest] = rows;
  if (!first) return [];
  return isHeader(first)
    ? [{ type: 'table', header: first, rows: rest }]
    : [{ type: 'table', header: [], rows }];
}

function* rowsOf(text: string, delimiter: string): Generator<readonly string[]> {
  for (const row of delimitedRows(text, delimiter)) {
    const cells = row.map(inOneLine);
    if (cells.some((cell) => cell !== '')) yield cells;
  }
}

/** The delimiter that gives the most rows the same number of columns, more than one. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = evenness([...delimitedRows(sample, delimiter)].slice(0, SAMPLE_ROWS));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function evenness(rows: readonly (readonly string[])[]): number {
  const columns = rows[0]?.length ?? 0;
  if (columns < 2) return 0;
  const even = rows.filter(({ length }) => length === columns).length;
  // Break ties by the number of columns.
  return even / rows.length + columns / 10_000;
}

function isHeader(row: readonly string[]): boolean {
  const names = row.filter((cell) => cell !== '');
  return new Set(names).size === names.length && !names.some((name) => /^[-+]?[\d.,\s]+%?$/.test(name));
}
