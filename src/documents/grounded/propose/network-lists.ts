import { columnsOf } from '../plan/ask-fields.ts';
import type { Field, ListPlan } from '../plan/schema-plan.ts';
import type { Evidence } from '../read/evidence.ts';
import type { SourceFile } from '../read/source-text.ts';
import { spanValue } from './cell-value.ts';
import type { FilledItem, FilledLeaf, FilledList } from './filled-list.ts';
import type { AnsweredPage, ProposedRow, SourceRange } from './network-answers.ts';
import { withWholeCells } from './whole-cells.ts';

/** Builds a list from the rows that the network found, from the file with most of them. */
export function networkList(
  list: ListPlan,
  pages: readonly AnsweredPage[],
  evidence: readonly Evidence[],
): FilledList | undefined {
  let best: FilledList | undefined;
  const isText = columnsOf(list).map(({ field }) => field.kind === 'text');
  for (const one of evidence) {
    const { file, context } = one;
    const rows = pages
      .filter((page) => page.file === file)
      .flatMap(({ lists }) => lists.get(list) ?? [])
      .map((row) => withWholeCells(row, isText, one));
    const read = (field: Field, cell: ProposedRow[number]) =>
      cell === undefined ? undefined : spanValue(field, cell.text, context);
    const items = rows.flatMap((row) => itemOf(list, row, read) ?? []).slice(0, list.maxItems);
    if (items.length > (best?.items.length ?? 0)) best = { items, fit: items.length, isNamed: false };
  }
  return best;
}

/** Where the network sees the cells of a list in a file, by column. */
export function seenCells(
  list: ListPlan,
  pages: readonly AnsweredPage[],
  file: SourceFile,
): ReadonlyMap<Field, readonly SourceRange[]> {
  const rows = pages.filter((page) => page.file === file).flatMap(({ lists }) => lists.get(list) ?? []);
  return new Map(
    columnsOf(list).map(({ field }, column) => [
      field,
      rows.flatMap((row) => {
        // Its first word: a wrapped name stands on both sides of other cells.
        const first = row[column]?.ranges[0];
        return first === undefined ? [] : [{ start: first.start - file.start, end: first.end - file.start }];
      }),
    ]),
  );
}

type ReadCell = (field: Field, cell: ProposedRow[number]) => unknown;

/** An item; undefined if a cell is missing that must be there. */
function itemOf(list: ListPlan, row: ProposedRow, read: ReadCell): FilledItem | undefined {
  if (list.item.type === 'leaf') return plainItem(list.item.field, row[0], read);
  const members: [string, unknown][] = [];
  const leaves = new Map<string, FilledLeaf>();
  const columns = columnsOf(list);
  for (const { name, isRequired } of list.item.properties) {
    const index = columns.findIndex((column) => column.name === name);
    const field = columns[index]?.field;
    const cell = row[index];
    const value = field === undefined ? undefined : read(field, cell);
    if (cell !== undefined && value !== undefined) {
      members.push([name, value]);
      leaves.set(name, cell);
    } else if (field?.isNullable === true) members.push([name, null]);
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value: Object.fromEntries(members), leaves };
}

function plainItem(field: Field, cell: ProposedRow[number], read: ReadCell): FilledItem | undefined {
  const value = read(field, cell);
  return cell === undefined || value === undefined ? undefined : { value, leaves: new Map([['', cell]]) };
}
