import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceLine, SourceText } from '../read/source-text.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import type { FilledList } from './filled-list.ts';
import { periodIn } from './life-periods.ts';
import { leavesOf, objectOf } from './object-of.ts';
import type { TextSlice } from './text-slice.ts';

/** A label, and the value below it that is moved to the right. */
interface Stacked {
  readonly label: string;
  readonly value: TextSlice;
  readonly line: SourceLine;
}

const FEWEST_ITEMS = 2;
const FEWEST_FIELDS = 2;
const LEAST_SIMILARITY = 0.4;
const LABEL = /^\p{L}[^\d:@]*:?$/u;
const MOST_LABEL_WORDS = 6;

/** Builds a list of objects from labels that repeat, each with its value in the line below, moved to the right. */
export function fillStacked(
  plan: ListPlan & { readonly item: ObjectPlan },
  source: SourceText,
): FilledList | undefined {
  const items = repeated(stackedIn(source));
  if (items.length < FEWEST_ITEMS) return undefined;
  const fieldOf = fieldsByLabel(leavesOf(plan.item), items[0] ?? []);
  if (fieldOf.size < FEWEST_FIELDS) return undefined;
  const filled = items.flatMap((item) => objectOf(plan.item, slicesOf(item, fieldOf)) ?? []);
  if (filled.length < items.length) return undefined;
  return { items: filled.slice(0, plan.maxItems), fit: fieldOf.size, isNamed: true, isWhole: true };
}

function stackedIn({ lines }: SourceText): readonly Stacked[] {
  return lines.flatMap((line, index) => {
    const [label, ...besides] = line.segments;
    const below = lines[index + 1];
    const [value, ...others] = below?.segments ?? [];
    if (label === undefined || below === undefined || value === undefined) return [];
    if (besides.length + others.length > 0 || value.column <= label.column) return [];
    if (!LABEL.test(label.text) || label.text.split(/\s+/).length > MOST_LABEL_WORDS) return [];
    const start = below.start + value.column;
    return [
      {
        label: label.text,
        value: { text: value.text, start, end: start + value.text.length },
        line: below,
      },
    ];
  });
}

/** Runs of labels that come again, from the first of them to the next. */
function repeated(stacked: readonly Stacked[]): readonly (readonly Stacked[])[] {
  const counts = new Map<string, number>();
  for (const { label } of stacked) counts.set(label, (counts.get(label) ?? 0) + 1);
  const again = stacked.filter(({ label }) => (counts.get(label) ?? 0) > 1);
  const items: Stacked[][] = [];
  for (const one of again) {
    if (one.label === again[0]?.label) items.push([one]);
    else items.at(-1)?.push(one);
  }
  return items;
}

/** The fields that each label names: the field that it fits best, start and end for a period, and the only field left for the only label left. */
function fieldsByLabel(
  fields: readonly Field[],
  item: readonly Stacked[],
): ReadonlyMap<string, readonly Field[]> {
  const found = new Map<string, readonly Field[]>();
  const open = new Set(fields);
  const take = (label: string, taken: readonly Field[]) => {
    found.set(label, taken);
    for (const field of taken) open.delete(field);
  };
  const [from, to] = ['start', 'end'].map((concept) =>
    fields.find(({ words }) => words.ownTokens.some((token) => token.split('|').includes(`=${concept}`))),
  );
  for (const { label, line } of item)
    if (from !== undefined && to !== undefined && from !== to && periodIn(line)?.to !== undefined)
      take(label, [from, to]);
  for (const { label } of item) {
    const rated = Array.from(open, (field) => ({ field, fit: similarity(labelTokens(label), field.words) }));
    const best = rated.toSorted((one, other) => other.fit - one.fit)[0];
    if (!found.has(label) && best !== undefined && best.fit >= LEAST_SIMILARITY) take(label, [best.field]);
  }
  const left = item.filter(({ label }) => !found.has(label));
  if (left.length === 1 && open.size === 1 && left[0] !== undefined) take(left[0].label, Array.from(open));
  return found;
}

function slicesOf(
  item: readonly Stacked[],
  fieldOf: ReadonlyMap<string, readonly Field[]>,
): ReadonlyMap<Field, TextSlice> {
  const slices = new Map<Field, TextSlice>();
  for (const { label, value, line } of item) {
    const [first, second] = fieldOf.get(label) ?? [];
    const period = second === undefined ? undefined : periodIn(line);
    if (first === undefined) continue;
    if (second === undefined) slices.set(first, value);
    if (period?.from !== undefined) slices.set(first, period.from);
    if (period?.to !== undefined && second !== undefined) slices.set(second, period.to);
  }
  return slices;
}
