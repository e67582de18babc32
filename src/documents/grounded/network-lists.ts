import { columnsOf } from './ask-fields.ts';
import type { Evidence } from './evidence.ts';
import type { FilledItem, FilledLeaf, FilledList } from './filled-list.ts';
import type { AnsweredPage, ProposedRow } from './network-answers.ts';
import type { Field, ListPlan } from './schema-plan.ts';
import { spanValue } from './weigh-candidates.ts';

/** Builds a list from the rows that the network found, from the file with most of them. */
export function networkList(
  list: ListPlan,
  pages: readonly AnsweredPage[],
  evidence: readonly Evidence[],
): FilledList | undefined {
  let best: FilledList | undefined;
  for (const { file, context } of evidence) {
    const rows = pages.filter((page) => page.file === file).flatMap(({ lists }) => lists.get(list) ?? []);
    const read = (field: Field, cell: ProposedRow[number]) =>
      cell === undefined ? undefined : spanValue(field, cell, context);
    const items = rows.flatMap((row) => itemOf(list, row, read) ?? []).slice(0, list.maxItems);
    if (items.length > (best?.items.length ?? 0)) best = { items, fit: items.length };
  }
  return best;
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
