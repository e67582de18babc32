import { isRecord } from '../../../lib/json-record.ts';
import { columnsOf } from '../plan/ask-fields.ts';
import type { ListPlan } from '../plan/schema-plan.ts';
import { isAbout } from '../propose/candidate.ts';
import { type FilledItem, type FilledList, rangesOf } from '../propose/filled-list.ts';
import type { Evidence } from '../read/evidence.ts';

const CENT = 0.011;
const SUM_SCORE = 1;
const PRODUCT_SCORE = 1;
/** Rules read a list with a heading or fitting titles better than the network, which reads others better. */
const [NAMED_SCORE, UNNAMED_SCORE] = [0.6, -0.3];

/** Decides between the list that rules found and that of the network. */
export function chooseList(
  plan: ListPlan,
  { rules, network }: { readonly rules: FilledList | undefined; readonly network: FilledList | undefined },
  evidence: readonly Evidence[],
): FilledList | undefined {
  if (rules === undefined || network === undefined) return withoutRepeats(plan, rules ?? network);
  const named = rules.isNamed ? NAMED_SCORE : UNNAMED_SCORE;
  const isRules = scoreOf(plan, rules, evidence) + named >= scoreOf(plan, network, evidence);
  return withoutRepeats(plan, isRules ? rules : network);
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

function numberAt({ value }: FilledItem, name: string): number | undefined {
  const member = isRecord(value) ? value[name] : undefined;
  return typeof member === 'number' ? member : undefined;
}

function withoutRepeats({ isUnique }: ListPlan, list: FilledList | undefined): FilledList | undefined {
  if (list === undefined || !isUnique) return list;
  const written = list.items.map(({ value }) => JSON.stringify(value));
  return { ...list, items: list.items.filter((_, index) => written.indexOf(written[index] ?? '') === index) };
}
