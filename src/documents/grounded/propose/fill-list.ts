import type { LeafPlan, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceFile } from '../read/source-text.ts';
import { similarity } from '../words/label-words.ts';
import { fillBlocks } from './fill-blocks.ts';
import { fillItems } from './fill-items.ts';
import { fillMessages } from './fill-messages.ts';
import { fillPairs } from './fill-pairs.ts';
import { fillPeriods } from './fill-periods.ts';
import { fillRemarks } from './fill-remarks.ts';
import { fillRows, type TableClues } from './fill-rows.ts';
import { fillStacked } from './fill-stacked.ts';
import { type FilledList, placedAfter } from './filled-list.ts';
import type { Table } from './find-tables.ts';

const LEAST_SIMILARITY = 0.5;
/** The order of parts in a line says more than the network, which sees no columns there. */
const UNSEEN: TableClues['seen'] = new Map();

/** A file as a list sees it. */
export interface ReadFile extends TableClues {
  readonly file: SourceFile;
  readonly tables: readonly Table[];
  readonly entries: readonly Table[];
}

/** Objects come from a table, from lines under the list's heading, or from repeating labels. */
export function fillList(list: ListPlan, files: readonly ReadFile[]): FilledList | undefined {
  if (hasItems(list)) return bestOf(files, ({ file }) => fillItems(list, file.source));
  if (!hasRows(list)) return undefined;
  const isNamed = ({ heading }: Table) => similarity(heading, list.words) >= LEAST_SIMILARITY;
  return (
    bestOf(files, ({ file }) => fillStacked(list, file.source)) ??
    bestOf(files, ({ file }) => fillPeriods(list, file.source)) ??
    bestOf(files, ({ file }) => fillMessages(list, file.source)) ??
    bestOf(files, ({ file }) => fillPairs(list, file.source)) ??
    bestOf(files, (file) => fillRemarks(list, file, 'named')) ??
    ofColumns(list, files) ??
    bestOf(files, (file) => named(fillRows(list, file.entries.filter(isNamed), { ...file, seen: UNSEEN }))) ??
    bestOf(files, ({ file }) => fillBlocks(list, file.source)) ??
    bestOf(files, (file) => fillRemarks(list, file, 'only'))
  );
}

/** The rows of a table; more lines that each say an item are likelier than a table that nothing names. */
function ofColumns(
  list: ListPlan & { readonly item: ObjectPlan },
  files: readonly ReadFile[],
): FilledList | undefined {
  const rows = bestOf(files, (file) => fillRows(list, file.tables, file));
  if (rows === undefined || rows.isNamed) return rows;
  const remarks = bestOf(files, (file) => fillRemarks(list, file, 'only'));
  return remarks !== undefined && remarks.items.length > rows.items.length ? remarks : rows;
}

function named(list: FilledList | undefined): FilledList | undefined {
  return list && { ...list, isNamed: true };
}

/** The best list of any file, with offsets across all files. */
function bestOf(
  files: readonly ReadFile[],
  fill: (file: ReadFile) => FilledList | undefined,
): FilledList | undefined {
  let best: FilledList | undefined;
  for (const one of files) {
    const filled = fill(one);
    if (filled === undefined || (best !== undefined && filled.fit <= best.fit)) continue;
    best = placedAfter(filled, one.file.start);
  }
  return best;
}

function hasRows(list: ListPlan): list is ListPlan & { readonly item: ObjectPlan } {
  return list.item.type === 'object';
}

function hasItems(list: ListPlan): list is ListPlan & { readonly item: LeafPlan } {
  return list.item.type === 'leaf';
}
