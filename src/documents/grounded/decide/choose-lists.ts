import { isRecord } from '../../../lib/json-record.ts';
import { overlaps } from '../../values/found-value.ts';
import { columnsOf } from '../plan/ask-fields.ts';
import type { ListPlan } from '../plan/schema-plan.ts';
import { isAbout } from '../propose/candidate.ts';
import { type FilledItem, type FilledList, rangesOf } from '../propose/filled-list.ts';
import type { SourceRange } from '../propose/network-answers.ts';
import type { Evidence } from '../read/evidence.ts';

const CENT = 0.011;
const SUM_SCORE = 1;
const PRODUCT_SCORE = 1;
/** Columns that titles or the network name have their cells by geometry; the network alone reads other tables better. */
const [NAMED_SCORE, UNNAMED_SCORE] = [0.6, -0.3];
/** Rows that only the network sees make a named table whole: details or a page break ended it too early. */
const WHOLE_SCORE = 0.1;
/** Where the network takes several rows for one, it does not see them. */
const MERGED_SCORE = -1;

/** The same list, read by rules and by the network. */
interface BothLists {
  readonly rules: FilledList | undefined;
  readonly network: FilledList | undefined;
}

/** Decides between the list that rules found, that of the network, and both together. */
export function chooseList(
  plan: ListPlan,
  { rules, network }: BothLists,
  evidence: readonly Evidence[],
): FilledList | undefined {
  if (rules === undefined || network === undefined) return withoutRepeats(plan, rules ?? network);
  const prior = rules.isNamed ? NAMED_SCORE : UNNAMED_SCORE;
  const isTable = rules.isNamed && rules.isWhole !== true && plan.item.type === 'object';
  const whole = isTable ? wholeList(plan, rules, network) : undefined;
  const choices = [
    { list: rules, prior },
    { list: network, prior: mergesRows(rules, network) ? MERGED_SCORE : 0 },
    ...(whole === undefined ? [] : [{ list: whole, prior: prior + WHOLE_SCORE }]),
  ].map(({ list, prior: before }) => ({ list, score: before + scoreOf(plan, list, evidence) }));
  const best = choices.reduce((one, other) => (other.score > one.score ? other : one));
  const chosen = best.list === network ? network : withProbabilities(best.list, network);
  return withoutRepeats(plan, chosen);
}

/** The rows of rules, and those that only the network sees if they are as full; undefined if there are none. */
function wholeList(plan: ListPlan, rules: FilledList, network: FilledList): FilledList | undefined {
  const fullest = Math.max(...rules.items.map(({ leaves }) => leaves.size));
  const added = network.items.filter(
    (item) => item.leaves.size >= fullest && !rules.items.some((other) => isSameRow(item, other)),
  );
  if (added.length === 0) return undefined;
  const items = [...rules.items, ...added].toSorted((one, other) => startOf(one) - startOf(other));
  return { ...rules, items: items.slice(0, plan.maxItems) };
}

/** The list with the network's probabilities of the cells that it sees too. */
function withProbabilities(list: FilledList, network: FilledList): FilledList {
  const items = list.items.map((item) => {
    const seen = network.items.find((other) => isSameRow(item, other));
    return seen === undefined || seen === item ? item : { ...item, leaves: withCells(item, seen) };
  });
  return { ...list, items };
}

function withCells(item: FilledItem, seen: FilledItem): FilledItem['leaves'] {
  const leaves = new Map(item.leaves);
  for (const [name, leaf] of item.leaves) {
    const isSame = memberOf(item, name) === memberOf(seen, name);
    if (isSame) leaves.set(name, { ...leaf, probability: seen.leaves.get(name)?.probability });
  }
  return leaves;
}

/** Whether a row of the network has words of several rows of the rules. */
function mergesRows(rules: FilledList, network: FilledList): boolean {
  return network.items.some((item) => rules.items.filter((other) => isSameRow(item, other)).length > 1);
}

/** Whether two rows share words. */
function isSameRow(one: FilledItem, other: FilledItem): boolean {
  return wordsOf(one).some((range) => wordsOf(other).some((theirs) => overlaps(range, theirs)));
}

function wordsOf({ leaves }: FilledItem): readonly SourceRange[] {
  return Array.from(leaves.values()).flatMap((leaf) => leaf.ranges ?? [leaf]);
}

function startOf(item: FilledItem): number {
  return Math.min(...wordsOf(item).map(({ start }) => start));
}

function memberOf({ value }: FilledItem, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** How whole a list is, and whether its figures add up. */
function scoreOf(plan: ListPlan, list: FilledList, evidence: readonly Evidence[]): number {
  const columns = columnsOf(plan);
  const cells = list.items.reduce((sum, { leaves }) => sum + leaves.size, 0);
  const fullness = columns.length === 0 ? 1 : cells / (columns.length * list.items.length);
  return fullness + SUM_SCORE * sumsUp(plan, list, evidence) + PRODUCT_SCORE * multiplies(plan, list);
}

/** 1 if the amounts of the items add up to a number that stands elsewhere in the documents. */
function sumsUp(plan: ListPlan, list: FilledList, evidence: readonly Evidence[]): number {
  const name = lineColumn(plan);
  if (name === undefined || list.items.length < 2) return 0;
  const sum = list.items.reduce((total, item) => total + (numberAt(item, name) ?? Number.NaN), 0);
  const own = rangesOf(list);
  const isPrinted = evidence.some(({ numbers, file }) =>
    numbers.some(
      ({ value, start }) =>
        Math.abs(value - sum) < CENT &&
        !own.some((range) => range.start <= file.start + start && file.start + start < range.end),
    ),
  );
  return isPrinted ? 1 : 0;
}

/** The share of items whose quantity and price make their amount. */
function multiplies(plan: ListPlan, { items }: FilledList): number {
  const columns = columnsOf(plan);
  const quantity = columns.find(({ field }) => isAbout(field, 'quantity'))?.name;
  const price = columns.find(({ field }) => isAbout(field, 'price') && !isAbout(field, 'total'))?.name;
  const line = lineColumn(plan);
  if (quantity === undefined || price === undefined || line === undefined || line === price) return 0;
  const right = items.filter((item) => {
    const product = (numberAt(item, quantity) ?? Number.NaN) * (numberAt(item, price) ?? Number.NaN);
    return Math.abs(product - (numberAt(item, line) ?? Number.NaN)) < CENT;
  });
  return right.length / items.length;
}

/** The column with the amount of a line. */
function lineColumn(plan: ListPlan): string | undefined {
  const numbers = columnsOf(plan).filter(({ field }) => field.kind === 'number');
  return (
    numbers.find(({ field }) => isAbout(field, 'total')) ??
    numbers.find(({ field }) => isAbout(field, 'amount')) ??
    numbers.find(({ field }) => isAbout(field, 'price'))
  )?.name;
}

function numberAt(item: FilledItem, name: string): number | undefined {
  const member = memberOf(item, name);
  return typeof member === 'number' ? member : undefined;
}

function withoutRepeats({ isUnique }: ListPlan, list: FilledList | undefined): FilledList | undefined {
  if (list === undefined || !isUnique) return list;
  const written = list.items.map(({ value }) => JSON.stringify(value));
  return { ...list, items: list.items.filter((_, index) => written.indexOf(written[index] ?? '') === index) };
}
