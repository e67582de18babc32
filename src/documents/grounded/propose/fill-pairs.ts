import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceText } from '../read/source-text.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledList } from './filled-list.ts';
import { labelledText } from './labelled-text.ts';
import { itemOf, partsOf } from './text-parts.ts';
import type { LineSlice, TextSlice } from './text-slice.ts';

const NUMBERED = /^(\d{1,2})[.)]\s+(\S.*)$/u;
/** A text, and what is said of it in brackets, behind a colon or a dash. */
const PAIR = /^([^():]*[^():\s])(?:\s*\(([^()]+)\)|:\s+(\S.*)|\s+[–—-]\s+(\S.*))$/u;
/** Of the items at least as many must have both parts. */
const LEAST_SHARE = 0.5;

interface Pair {
  readonly first: TextSlice;
  readonly second: TextSlice | undefined;
}

/** Builds a list of objects with two properties from the text that its label names: `English (fluent), French (basic)`. */
export function fillPairs(
  plan: ListPlan & { readonly item: ObjectPlan },
  source: SourceText,
): FilledList | undefined {
  const fields = plan.item.properties.flatMap(({ plan: leaf }) => (leaf.type === 'leaf' ? [leaf.field] : []));
  const [first, second, ...others] = fields;
  if (first?.kind !== 'text' || !isWord(second) || others.length > 0) return undefined;
  const found = labelledText(plan.words, source);
  const pairs = pairsOf(found?.pieces ?? []);
  const whole = pairs.filter((pair) => pair.second !== undefined);
  if (found === undefined || whole.length === 0 || whole.length < LEAST_SHARE * pairs.length)
    return undefined;
  const items = pairs.flatMap((pair) => objectOf(plan.item, [first, second], pair) ?? []);
  if (items.length < pairs.length) return undefined;
  return { items: items.slice(0, plan.maxItems), fit: found.fit, isNamed: true, isWhole: true };
}

function isWord(field: Field | undefined): field is Field {
  return field?.kind === 'text' || field?.kind === 'choice';
}

/** The pairs in pieces of text: two pieces of a line are one, others are split at their commas. */
function pairsOf(pieces: readonly LineSlice[]): readonly Pair[] {
  const lines = new Set(pieces.map(({ line }) => line));
  return Array.from(lines).flatMap((line) => {
    const own = pieces.filter((piece) => piece.line === line);
    const [first, second, ...others] = own;
    if (first !== undefined && second !== undefined && others.length === 0 && !isPair(first))
      return [{ first: itemOf(first), second }];
    return own.flatMap((piece) => (NUMBERED.test(piece.text) ? [piece] : partsOf(piece))).map(pairOf);
  });
}

function isPair({ text }: TextSlice): boolean {
  return PAIR.test(text);
}

function pairOf(piece: TextSlice): Pair {
  const [, first, ...said] = NUMBERED.exec(piece.text) ?? PAIR.exec(piece.text) ?? [];
  const second = said.find((one) => one !== undefined);
  if (first === undefined || second === undefined) return { first: piece, second: undefined };
  const at = piece.start + piece.text.lastIndexOf(second);
  return {
    first: { text: first, start: piece.start, end: piece.start + first.length },
    second: { text: second, start: at, end: at + second.length },
  };
}

function objectOf(
  { properties }: ObjectPlan,
  fields: readonly [Field, Field],
  { first, second }: Pair,
): FilledItem | undefined {
  const value: Record<string, unknown> = {};
  const leaves = new Map<string, TextSlice>();
  for (const [index, { name, isRequired }] of properties.entries()) {
    const [field, piece] = [fields[index], index === 0 ? first : second];
    const read = field === undefined || piece === undefined ? undefined : cellValue(field, piece.text);
    if (read !== undefined && piece !== undefined) {
      value[name] = read;
      leaves.set(name, piece);
    } else if (field?.isNullable === true) value[name] = null;
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value, leaves };
}
