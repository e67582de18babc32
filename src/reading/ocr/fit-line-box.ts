import type { LineBox } from './line-box.ts';
import type { TextRegion } from './text-regions.ts';

// The network marks a shrunken core of every line; growing by area / perimeter restores it.
const GROWTH = 1.6;
const ANGLE_STEPS = 6;
const ANGLE_STEP = 0.004;
const MIN_SIDE = 3;

/** The rectangle of the line that a region marks, in the scaled picture. */
export function fitLineBox(
  { outline, angle }: TextRegion,
  stretch: { x: number; y: number },
): LineBox | undefined {
  const box = straightest(outline, angle);
  if (Math.min(box.length, box.height) < MIN_SIDE) return undefined;
  const growth = (GROWTH * box.length * box.height) / (box.length + box.height);
  const runsVertically = Math.abs(box.uy) > Math.abs(box.ux);
  const isBackwards = runsVertically ? box.uy > 0 : box.ux < 0;
  const [along, across] = runsVertically ? [stretch.y, stretch.x] : [stretch.x, stretch.y];
  return {
    cx: box.cx * stretch.x,
    cy: box.cy * stretch.y,
    length: (box.length + growth) * along,
    height: (box.height + growth) * across,
    ux: isBackwards ? -box.ux : box.ux,
    uy: isBackwards ? -box.uy : box.uy,
  };
}

function straightest(outline: readonly number[], angle: number): LineBox {
  // A line fitted at a slightly wrong angle is too tall and loses accents when scaled: keep the flattest.
  let box = boxAlong(outline, angle);
  for (let step = -ANGLE_STEPS; step <= ANGLE_STEPS; step += 1) {
    const candidate = boxAlong(outline, angle + step * ANGLE_STEP);
    if (candidate.height < box.height) box = candidate;
  }
  if (box.length >= 2.5 * box.height) return box;
  // The direction of a short word says little about its line.
  const isTall = Math.abs(angle) > Math.PI / 4 && box.length > 1.5 * box.height;
  return boxAlong(outline, isTall ? -Math.PI / 2 : 0);
}

function boxAlong(outline: readonly number[], angle: number): LineBox {
  const ux = Math.cos(angle);
  const uy = Math.sin(angle);
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let index = 0; index < outline.length; index += 2) {
    const x = outline[index] ?? 0;
    const y = outline[index + 1] ?? 0;
    const along = x * ux + y * uy;
    const across = y * ux - x * uy;
    if (along < left) left = along;
    if (along > right) right = along;
    if (across < top) top = across;
    if (across > bottom) bottom = across;
  }
  const a = (left + right) / 2;
  const b = (top + bottom) / 2;
  return {
    cx: a * ux - b * uy,
    cy: a * uy + b * ux,
    length: right - left + 1,
    height: bottom - top + 1,
    ux,
    uy,
  };
}
