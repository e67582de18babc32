import type { DraftTable } from './draft-page.ts';
import { numbersIn } from './numbers-in.ts';

/** The faults of a table. */
export interface TableFaults {
  /** Cells that belong into another row. */
  readonly misplaced: readonly string[];
  /** Rows of other lengths, and numbers twice in a row. */
  readonly layout: readonly string[];
}

/** Looks for cells that are filled for the sake of their column. */
export function tableFaults(table: DraftTable, instruction: string): TableFaults {
  const said = counted(numbersIn(instruction));
  const rows = table.map((row) => row.flatMap(({ text }) => numbersIn(text)));
  return {
    misplaced: [
      ...strayCells(table),
      ...tooOften(
        rows.flatMap((row) => [...new Set(row)]),
        said,
      ),
    ],
    layout: [...unevenRows(table), ...rows.flatMap((row) => tooOften(row, said))],
  };
}

function unevenRows(table: DraftTable): readonly string[] {
  if (table.some((row) => row.some(({ rows }) => rows !== 1))) return [];
  const widths = new Set(table.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)));
  return widths.size > 1 ? [`rows of ${[...widths].join(' and ')} cells`] : [];
}

/** A count of what another row is about, such as `12 baguettes` in the row of the rolls. */
function strayCells(table: DraftTable): readonly string[] {
  const subjects = table.map((row) => lettersOf(row[0]?.text ?? ''));
  const known = new Set(subjects.filter((subject) => subject !== ''));
  const isStray = (text: string, row: number) => {
    const letters = lettersOf(text);
    return /\d/.test(text) && letters !== subjects[row] && known.has(letters);
  };
  return table.flatMap((row, index) =>
    row.slice(1).flatMap(({ text }) => (isStray(text, index) ? [`of another row: ${text}`] : [])),
  );
}

function tooOften(numbers: readonly string[], said: ReadonlyMap<string, number>): readonly string[] {
  return [...counted(numbers)].flatMap(([number, count]) =>
    count > Math.max(1, said.get(number) ?? 0) ? [`${count} times: ${number}`] : [],
  );
}

function counted(numbers: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}
