import type { PlacedWord } from '../layout/placed-word.ts';
import type { PageBox } from '../page-text.ts';
import type { SpottedCharacter } from './decode-ctc.ts';
import type { LineBox } from './line-box.ts';
import type { RecognisedLine } from './line-recogniser.ts';

/** In pixels. */
export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

/** Quarter turns, clockwise, of the text on the page; 0 for text that runs to the right. */
export type PageRotation = 0 | 1 | 2 | 3;

/** A gap wider than this many heights separates words even without a space, as between table cells. */
const CELL_GAP_IN_HEIGHTS = 1.6;
/** A line's box is taller than its letters. */
const LETTER_FRACTION = 0.8;

/** The rotation of lines with this direction. */
export function rotationOf({ ux, uy }: { ux: number; uy: number }): PageRotation {
  const rotation = (Math.round(Math.atan2(uy, ux) / (Math.PI / 2)) + 4) % 4;
  return rotation === 1 || rotation === 2 || rotation === 3 ? rotation : 0;
}

/** The words of a line in upright coordinates, with their boxes on the picture. */
export function placeWords(
  line: RecognisedLine,
  rotation: PageRotation,
  size: RasterSize,
): readonly PlacedWord[] {
  const { box } = line;
  const direction = turned(box.ux, box.uy, rotation);
  const slope = direction.y / Math.max(0.2, direction.x);
  return wordsOf(line).map(({ text, from, to, confidence }) => {
    const start = pointAlong(box, from);
    const end = pointAlong(box, to);
    const a = upright(start, rotation, size);
    const b = upright(end, rotation, size);
    const middleY = (a.y + b.y) / 2;
    const halfHeight = (box.height * LETTER_FRACTION) / 2;
    return {
      text,
      confidence,
      x0: Math.min(a.x, b.x),
      x1: Math.max(a.x, b.x),
      y0: middleY - halfHeight,
      y1: middleY + halfHeight,
      // The direction of a short line is a guess.
      ...(box.length > 4 * box.height && { slope }),
      box: boxAround(start, end, box, size),
    };
  });
}

interface LineWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly confidence: number;
}

function wordsOf({ characters, box }: RecognisedLine): readonly LineWord[] {
  const groups: SpottedCharacter[][] = [[]];
  const gap = (CELL_GAP_IN_HEIGHTS * box.height) / box.length;
  let before: SpottedCharacter | undefined;
  for (const character of characters) {
    if (character.text.trim() === '') {
      groups.push([]);
      continue;
    }
    if (before && character.at - before.at > gap) groups.push([]);
    groups.at(-1)?.push(character);
    before = character;
  }
  return groups.filter((group) => group.length > 0).map((group) => lineWord(group, box));
}

function lineWord(group: readonly SpottedCharacter[], box: LineBox): LineWord {
  const first = group[0]?.at ?? 0;
  const last = group.at(-1)?.at ?? first;
  const half = group.length > 1 ? (last - first) / (group.length - 1) / 2 : (0.25 * box.height) / box.length;
  return {
    text: group.map(({ text }) => text).join(''),
    from: Math.max(0, first - half),
    to: Math.min(1, last + half),
    confidence: group.reduce((sum, { confidence }) => sum + confidence, 0) / group.length,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function pointAlong(box: LineBox, fraction: number): Point {
  const along = (fraction - 0.5) * box.length;
  return { x: box.cx + along * box.ux, y: box.cy + along * box.uy };
}

function upright({ x, y }: Point, rotation: PageRotation, { width, height }: RasterSize): Point {
  switch (rotation) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: width - x };
    case 2:
      return { x: width - x, y: height - y };
    case 3:
      return { x: height - y, y: x };
  }
}

function turned(x: number, y: number, rotation: PageRotation): Point {
  switch (rotation) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: -x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: -y, y: x };
  }
}

function boxAround(start: Point, end: Point, box: LineBox, { width, height }: RasterSize): PageBox {
  const halfX = (Math.abs(box.uy) * box.height * LETTER_FRACTION) / 2;
  const halfY = (Math.abs(box.ux) * box.height * LETTER_FRACTION) / 2;
  return {
    x0: fraction((Math.min(start.x, end.x) - halfX) / width),
    y0: fraction((Math.min(start.y, end.y) - halfY) / height),
    x1: fraction((Math.max(start.x, end.x) + halfX) / width),
    y1: fraction((Math.max(start.y, end.y) + halfY) / height),
  };
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
}
