import type { FoundValue } from '../values/found-value.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledList } from './filled-list.ts';
import { labelTokens, similarity } from './label-words.ts';
import type { Field, ListPlan, ObjectPlan } from './schema-plan.ts';
import type { SourceText } from './source-text.ts';

interface Labelled {
  readonly label: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A labelled value: a property of an item. */
interface Entry {
  readonly field: Field;
  readonly value: unknown;
  readonly range: Pick<FoundValue<unknown>, 'start' | 'end'>;
}

const LEAST_SIMILARITY = 0.5;
/** A label must repeat to be a list. */
const FEWEST_ITEMS = 2;
const FEWEST_PROPERTIES = 2;
const LABELLED = /(?<=^|[,;|]\s*)([^:,;|]{1,60}):\s+(.+?)(?=\s*(?:$|[,;|]\s*[^:,;|]{1,60}:\s))/g;

/** Builds a list of objects from repeating labels: a block of lines or one line per item. */
export function fillBlocks(
  plan: ListPlan & { readonly item: ObjectPlan },
  source: SourceText,
): FilledList | undefined {
  const leaves = plan.item.properties.flatMap(({ plan: leaf }) => (leaf.type === 'leaf' ? [leaf.field] : []));
  const entries = labelledPieces(source).flatMap((piece) => entryOf(piece, leaves));
  const items = itemsOf(entries).flatMap((item) => objectOf(plan.item, item) ?? []);
  if (items.length < FEWEST_ITEMS) return undefined;
  const kept = items.slice(0, plan.maxItems);
  return { items: kept, fit: kept.length };
}

function labelledPieces({ lines }: SourceText): readonly Labelled[] {
  return lines.flatMap(({ text, start }) =>
    Array.from(text.matchAll(LABELLED), ({ 0: whole, 1: label = '', 2: said = '', index }) => {
      const from = start + index + whole.length - said.length;
      return { label, text: said.trim(), start: from, end: from + said.length };
    }),
  );
}

function entryOf({ label, text, start, end }: Labelled, fields: readonly Field[]): readonly Entry[] {
  const tokens = labelTokens(label);
  const rated = fields.map((field) => ({ field, fit: similarity(tokens, field.words) }));
  const best = rated.reduce((one, other) => (other.fit > one.fit ? other : one), {
    field: fields[0],
    fit: 0,
  });
  if (best.field === undefined || best.fit < LEAST_SIMILARITY) return [];
  const value = cellValue(best.field, text);
  return value === undefined ? [] : [{ field: best.field, value, range: { start, end } }];
}

/** A repeated property starts a new item. */
function itemsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const items: Entry[][] = [];
  for (const entry of entries) {
    const last = items.at(-1);
    if (last === undefined || last.some(({ field }) => field === entry.field)) items.push([entry]);
    else last.push(entry);
  }
  return items.filter((item) => item.length >= Math.min(FEWEST_PROPERTIES, entries.length));
}

function objectOf({ properties }: ObjectPlan, item: readonly Entry[]): FilledItem | undefined {
  const members: [string, unknown][] = [];
  const leaves = new Map<string, Entry['range']>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const found = item.find(({ field }) => field === plan.field);
    if (found !== undefined) {
      members.push([name, found.value]);
      leaves.set(name, found.range);
    } else if (plan.field.isNullable) members.push([name, null]);
    else if (isRequired) return undefined;
  }
  return { value: Object.fromEntries(members), leaves };
}
