import type { LeafPlan, ListPlan } from '../plan/schema-plan.ts';
import type { SourceLine, SourceText } from '../read/source-text.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import { isAbout } from './candidate.ts';
import { cellValue } from './cell-value.ts';
import type { FilledList } from './filled-list.ts';

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LEAST_SIMILARITY = 0.5;
const MAX_LINES = 40;
/** A line that is a label begins something else. */
const ENDING_LABEL = /^\p{L}[^:\d]{1,40}:$/u;
/** A role in brackets behind a name: `Ann Lee (chair)`. */
const ROLE = /^(\p{Lu}[^\d()]*\S)\s+\(\p{Ll}[\p{L}\s.-]{1,30}\)$/u;
/** The level of a language, in brackets behind it. */
const LEVEL = /^([^()]*\S)\s+\([^()]+\)$/u;
const BULLET = /^([-*•·–])\s/;
const BETWEEN = /\s*[,;•·|]\s*|\s+(?:and|und|y|et|e)\s+(?=\S+$)/;

/** Builds a list of plain values from the text after or below the list's label. */
export function fillItems(
  plan: ListPlan & { readonly item: LeafPlan },
  { lines }: SourceText,
): FilledList | undefined {
  let best: { readonly pieces: readonly Piece[]; readonly fit: number } | undefined;
  lines.forEach((line, index) => {
    const labelled = labelOf(line);
    const fit = similarity(labelTokens(labelled.label), plan.words);
    if (fit < LEAST_SIMILARITY || (best !== undefined && fit <= best.fit)) return;
    const pieces = labelled.rest.length > 0 ? labelled.rest : linesBelow(lines, index);
    if (pieces.length > 0) best = { pieces, fit };
  });
  if (best === undefined) return undefined;
  const items = best.pieces
    .flatMap((piece) => itemsOf(piece, isAbout(plan, 'language')))
    .flatMap((piece) => {
      const value = cellValue(plan.item.field, piece.text);
      return value === undefined ? [] : [{ value, leaves: new Map([['', piece]]) }];
    });
  return items.length === 0
    ? undefined
    : { items: items.slice(0, plan.maxItems), fit: best.fit, isNamed: true };
}

/** The label at the start of a line, and the text after it. */
function labelOf({ segments, start }: SourceLine): {
  readonly label: string;
  readonly rest: readonly Piece[];
} {
  const [first, ...others] = segments;
  if (first === undefined) return { label: '', rest: [] };
  const said = others.map(({ text, column }) => pieceAt(text, start + column));
  const [, label = first.text, value = ''] = /^([^:]{1,60}):\s*(.*)$/.exec(first.text) ?? [];
  if (value === '') return { label, rest: said };
  return { label, rest: [pieceAt(value, start + first.column + first.text.length - value.length), ...said] };
}

function linesBelow(lines: readonly SourceLine[], index: number): readonly Piece[] {
  const below = lines.slice(index + 1, index + 1 + MAX_LINES);
  const opens = below.findIndex(({ segments }) => segments.length > 0);
  if (opens < 0 || opens > 1) return [];
  const blank = below.findIndex(({ segments }, at) => {
    return at > opens && segments.length === 0 && !goesOn(below, at);
  });
  const label = below.findIndex(({ text }, at) => at > opens && ENDING_LABEL.test(text.trim()));
  const ends = [blank, label].filter((at) => at >= 0);
  return below
    .slice(opens, Math.min(below.length, ...ends))
    .flatMap(({ segments, start }) => segments.map(({ text, column }) => pieceAt(text, start + column)));
}

/** Whether a list goes on after an empty line: with a bullet as before, or, where each item stands alone, with another such line. */
function goesOn(lines: readonly SourceLine[], empty: number): boolean {
  const [before, next] = [lines[empty - 1]?.text.trim() ?? '', lines[empty + 1]?.text.trim() ?? ''];
  if (next === '') return false;
  const [, bullet] = BULLET.exec(before) ?? [];
  if (bullet !== undefined) return BULLET.exec(next)?.[1] === bullet;
  const isAlone = (at: number) =>
    (lines[at - 1]?.segments.length ?? 0) + (lines[at + 1]?.segments.length ?? 0) === 0;
  if (empty > 1 && !isAlone(empty - 1)) return false;
  const isHeading = labelTokens(next).some((token) => token.startsWith('='));
  return isAlone(empty + 1) && !isHeading && /^[^:]{1,40}[^:.]$/.test(next);
}

function pieceAt(text: string, start: number): Piece {
  return { text, start, end: start + text.length };
}

/** Splits a piece at commas and strips bullets. */
function itemsOf({ text, start }: Piece, isLanguage: boolean): readonly Piece[] {
  let from = 0;
  return text.split(BETWEEN).flatMap((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    const bullet = /^[-*•·–]\s+/.exec(part)?.[0].length ?? 0;
    const said = part.slice(bullet).replace(/[.]$/, '').trim();
    const item = (isLanguage ? LEVEL : ROLE).exec(said)?.[1] ?? said;
    return item === '' ? [] : [pieceAt(item, start + at + bullet)];
  });
}
