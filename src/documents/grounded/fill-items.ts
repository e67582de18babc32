import { cellValue } from './cell-value.ts';
import type { FilledList } from './filled-list.ts';
import { labelTokens, similarity } from './label-words.ts';
import type { LeafPlan, ListPlan } from './schema-plan.ts';
import type { SourceLine, SourceText } from './source-text.ts';

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LEAST_SIMILARITY = 0.5;
const MAX_LINES = 40;
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
  const items = best.pieces.flatMap(itemsOf).flatMap((piece) => {
    const value = cellValue(plan.item.field, piece.text);
    return value === undefined ? [] : [{ value, leaves: new Map([['', piece]]) }];
  });
  return items.length === 0 ? undefined : { items: items.slice(0, plan.maxItems), fit: best.fit };
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
  const blank = below.findIndex(({ segments }, at) => at > opens && segments.length === 0);
  return below
    .slice(opens, blank < 0 ? below.length : blank)
    .flatMap(({ segments, start }) => segments.map(({ text, column }) => pieceAt(text, start + column)));
}

function pieceAt(text: string, start: number): Piece {
  return { text, start, end: start + text.length };
}

/** Splits a piece at commas and strips bullets. */
function itemsOf({ text, start }: Piece): readonly Piece[] {
  let from = 0;
  return text.split(BETWEEN).flatMap((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    const bullet = /^[-*•·–]\s+/.exec(part)?.[0].length ?? 0;
    const item = part.slice(bullet).replace(/[.]$/, '').trim();
    return item === '' ? [] : [pieceAt(item, start + at + bullet)];
  });
}
