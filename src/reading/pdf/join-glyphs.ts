import type { PlacedWord } from '../layout/placed-word.ts';
import type { Glyph } from './glyph.ts';
import type { PageFrame } from './page-frame.ts';

/** Text with one direction; each is laid out separately. */
export type Flow = 'right' | 'up' | 'left' | 'down' | 'columns';

interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

interface FlowGlyph extends Box {
  readonly glyph: Glyph;
}

// Page coordinates, y up, to a plane where text runs right and lines go down.
const PLANES: Readonly<Record<Flow, (x: number, y: number) => readonly [number, number]>> = {
  right: (x, y) => [x, -y],
  up: (x, y) => [y, x],
  left: (x, y) => [-x, y],
  down: (x, y) => [-y, -x],
  // Vertical text: upright characters, columns from right to left.
  columns: (x, y) => [-y, -x],
};
const TURNS: readonly Flow[] = ['right', 'up', 'left', 'down'];
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const STACKED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。「」ー]/u;
const MARK = /^\p{M}+$/u;

/** Joins adjacent characters into words, per text direction. */
export function joinGlyphs(
  glyphs: readonly (Glyph | undefined)[],
  frame: PageFrame,
): ReadonlyMap<Flow, readonly PlacedWord[]> {
  const words = new Map<Flow, PlacedWord[]>();
  let open: { flow: Flow; members: FlowGlyph[] } | undefined;
  const close = () => {
    if (!open) return;
    const list = words.get(open.flow) ?? [];
    list.push(wordOf(open.members, frame));
    words.set(open.flow, list);
    open = undefined;
  };
  for (const [index, glyph] of glyphs.entries()) {
    if (!glyph) {
      close();
      continue;
    }
    const flow = flowOf(glyph, neighbour(glyphs, index, -1), neighbour(glyphs, index, 1));
    const next = { glyph, ...inPlane(glyph, flow) };
    const last = open?.members.at(-1);
    if (!open || !last || open.flow !== flow || !continues(last, next)) close();
    open ??= { flow, members: [] };
    open.members.push(next);
  }
  close();
  return words;
}

function flowOf(glyph: Glyph, before: Glyph | undefined, after: Glyph | undefined): Flow {
  const isStacked = STACKED.test(glyph.text) && [before, after].some((other) => isAboveOrBelow(glyph, other));
  return isStacked ? 'columns' : (TURNS[glyph.turn] ?? 'right');
}

/** PDFium may report line ends between the characters of a column. */
function neighbour(glyphs: readonly (Glyph | undefined)[], index: number, step: 1 | -1): Glyph | undefined {
  return glyphs[index + step] ?? glyphs[index + 2 * step] ?? glyphs[index + 3 * step];
}

function isAboveOrBelow(glyph: Glyph, other: Glyph | undefined): boolean {
  if (!other) return false;
  const size = Math.max(1e-6, Math.min(glyph.right - glyph.left, glyph.top - glyph.bottom));
  const across = Math.abs(glyph.left + glyph.right - other.left - other.right) / 2;
  const along = Math.abs(glyph.top + glyph.bottom - other.top - other.bottom) / 2;
  return across < 0.3 * size && along > 0.5 * size && along < 2.2 * size;
}

function inPlane(glyph: Glyph, flow: Flow): Box {
  const [ax, ay] = PLANES[flow](glyph.left, glyph.top);
  const [bx, by] = PLANES[flow](glyph.right, glyph.bottom);
  return { x0: Math.min(ax, bx), x1: Math.max(ax, bx), y0: Math.min(ay, by), y1: Math.max(ay, by) };
}

function continues(last: FlowGlyph, next: FlowGlyph): boolean {
  if (MARK.test(next.glyph.text)) return true;
  const height = next.y1 - next.y0;
  if (Math.abs(next.y0 - last.y0) >= 0.5 * height) return false;
  const isReversed = RIGHT_TO_LEFT.test(next.glyph.text);
  if (isReversed !== RIGHT_TO_LEFT.test(last.glyph.text) && isLetterOrDigit(last) && isLetterOrDigit(next)) {
    return false;
  }
  // The letters of a ligature share a box.
  if (next.x0 === last.x0 && next.x1 === last.x1 && next.y0 === last.y0) return true;
  // Files store right-to-left text in either order.
  const gap = isReversed ? Math.max(last.x0 - next.x1, next.x0 - last.x1) : next.x0 - last.x1;
  return gap < 0.25 * height && gap > -0.6 * height;
}

function isLetterOrDigit({ glyph }: FlowGlyph): boolean {
  return /[\p{L}\p{N}]/u.test(glyph.text);
}

function wordOf(members: readonly FlowGlyph[], frame: PageFrame): PlacedWord {
  const box = members.reduce<Box>(
    (around, { x0, x1, y0, y1 }) => ({
      x0: Math.min(around.x0, x0),
      x1: Math.max(around.x1, x1),
      y0: Math.min(around.y0, y0),
      y1: Math.max(around.y1, y1),
    }),
    { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity },
  );
  return {
    text: spelled(members).normalize('NFC'),
    ...box,
    confidence: 1,
    box: frame.boxAround(members.map(({ glyph }) => glyph)),
  };
}

function spelled(members: readonly FlowGlyph[]): string {
  const clusters: { text: string; x0: number }[] = [];
  for (const { glyph, x0 } of members) {
    const base = clusters.at(-1);
    if (base && MARK.test(glyph.text)) base.text += glyph.text;
    else clusters.push({ text: glyph.text, x0 });
  }
  if (RIGHT_TO_LEFT.test(members[0]?.glyph.text ?? '')) clusters.sort((a, b) => b.x0 - a.x0);
  return clusters.map(({ text }) => text).join('');
}
