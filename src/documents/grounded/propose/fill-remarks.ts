import type { DocumentContext } from '../../values/document-context.ts';
import type { ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import { isAllLabel } from '../read/find-spans.ts';
import type { SourceFile, SourceLine } from '../read/source-text.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import type { FilledItem, FilledList } from './filled-list.ts';
import { leavesOf, objectOf } from './object-of.ts';
import { readRemark } from './read-remark.ts';
import { isItem, itemOf } from './text-parts.ts';
import type { TextSlice } from './text-slice.ts';

const FEWEST_ITEMS = 2;
const LEAST_SIMILARITY = 0.5;
const MOST_CHARACTERS = 160;
/** A letter as a bullet: `(a) `. */
const LETTERED = /^\(?\p{Ll}[.)]\s+/u;

interface ReadFile {
  readonly file: SourceFile;
  readonly context: DocumentContext;
}

/** Items below each other. */
interface Run {
  readonly items: readonly FilledItem[];
  /** How well the line above names the list. */
  readonly fit: number;
}

/** Builds a list of objects from lines that each say all of one item: `- invoice no. 7 of 2 May 2024, £30.00`. They stand below the list's heading, or are the only ones. */
export function fillRemarks(
  plan: ListPlan & { readonly item: ObjectPlan },
  read: ReadFile,
  which: 'named' | 'only',
): FilledList | undefined {
  const isNamed = which === 'named';
  const needsBullets = !isNamed && !mayLackBullets(plan.item);
  const runs = runsOf(plan, read, { needsBullets, mayHaveColon: isNamed });
  const [best, ...others] = runs.toSorted((one, other) => other.fit - one.fit);
  if (best === undefined || (isNamed ? best.fit < LEAST_SIMILARITY : others.length > 0)) return undefined;
  return { items: best.items.slice(0, plan.maxItems), fit: best.fit, isNamed };
}

function runsOf(
  plan: ListPlan & { readonly item: ObjectPlan },
  { file, context }: ReadFile,
  { needsBullets, mayHaveColon }: { readonly needsBullets: boolean; readonly mayHaveColon: boolean },
): readonly Run[] {
  const { lines, text } = file.source;
  const runs: Run[] = [];
  let items: FilledItem[] = [];
  let first = 0;
  for (let at = 0; at <= lines.length; at++) {
    const remark = remarkAt(lines, at, text);
    const isUnclear = remark === undefined || (!remark.hasBullet && needsBullets);
    const item = isUnclear ? undefined : itemFrom(plan.item, remark.slice, { ...context, mayHaveColon });
    if (item === undefined) {
      if (items.length >= FEWEST_ITEMS)
        runs.push({ items, fit: similarity(headAbove(lines, first), plan.words) });
      items = [];
      continue;
    }
    if (items.length === 0) first = at;
    items.push(item);
    at += (remark?.lines ?? 1) - 1;
  }
  return runs;
}

/** Whether items have so much in them, a date or two texts, that lines of the same form are no accident. */
function mayLackBullets(plan: ObjectPlan): boolean {
  const kinds = leavesOf(plan).map(({ kind }) => kind);
  return kinds.includes('date') || kinds.filter((kind) => kind === 'text').length > 1;
}

function headAbove(lines: readonly SourceLine[], first: number): readonly string[] {
  const above = lines.slice(Math.max(0, first - 2), first).findLast(({ segments }) => segments.length > 0);
  return labelTokens(above?.text ?? '');
}

interface Remark {
  readonly slice: TextSlice;
  /** How many lines it has. */
  readonly lines: number;
  readonly hasBullet: boolean;
}

/** The remark that begins in a line, with the lines below that are moved to the right of its bullet. */
function remarkAt(lines: readonly SourceLine[], at: number, text: string): Remark | undefined {
  const line = lines[at];
  const first = line?.segments[0];
  if (line === undefined || first === undefined) return undefined;
  const hasBullet = isBulleted(first.text);
  // A row of a table has its own rules, and so have labels.
  if (!hasBullet && (line.segments.length > 1 || isCapitals(first.text))) return undefined;
  let end = at;
  if (hasBullet) while (goesOn(lines[end + 1], first.column)) end++;
  const last = lines[end] ?? line;
  const start = line.start + first.column;
  const said = text.slice(start, last.start + last.text.trimEnd().length);
  if (said.length > MOST_CHARACTERS) return undefined;
  const whole = { text: said, start, end: start + said.length };
  const slice = hasBullet ? withoutBullet(whole) : whole;
  if (isLabelled(slice.text)) return undefined;
  return { slice, lines: end - at + 1, hasBullet };
}

/** Whether a line heads others. */
function isCapitals(text: string): boolean {
  return !/\p{Ll}/u.test(text);
}

function isLabelled(text: string): boolean {
  const label = /^([^:]{1,40}):\s/.exec(text)?.[1];
  return label !== undefined && isAllLabel(label);
}

function isBulleted(text: string): boolean {
  return isItem(text) || LETTERED.test(text);
}

function withoutBullet(slice: TextSlice): TextSlice {
  const lettered = LETTERED.exec(slice.text)?.[0].length;
  if (lettered === undefined) return itemOf(slice);
  return { text: slice.text.slice(lettered), start: slice.start + lettered, end: slice.end };
}

function goesOn(line: SourceLine | undefined, column: number): boolean {
  const [first] = line?.segments ?? [];
  return first !== undefined && first.column > column && !isBulleted(first.text);
}

function itemFrom(
  plan: ObjectPlan,
  slice: TextSlice,
  context: DocumentContext & { readonly mayHaveColon: boolean },
): FilledItem | undefined {
  const pieces = readRemark(leavesOf(plan), slice, context);
  return pieces === undefined ? undefined : objectOf(plan, pieces);
}
