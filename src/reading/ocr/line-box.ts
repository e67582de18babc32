/** A line of text on a picture: a rectangle rotated to the text's direction. */
export interface LineBox {
  readonly cx: number;
  readonly cy: number;
  /** Along the text. */
  readonly length: number;
  /** Across the text. */
  readonly height: number;
  /** Unit vector of the text's direction; y goes down. */
  readonly ux: number;
  readonly uy: number;
}

/** Whether its text runs up or down. */
export function isVertical(box: LineBox): boolean {
  return Math.abs(box.uy) > Math.abs(box.ux);
}

/** The same line in the opposite direction. */
export function reversed(box: LineBox): LineBox {
  return { ...box, ux: -box.ux, uy: -box.uy };
}

/** Whether most text runs up or down; square marks are ignored. */
export function runVertically(boxes: readonly LineBox[]): boolean {
  const ink = (isWanted: (box: LineBox) => boolean) =>
    boxes.reduce((sum, box) => sum + (isWanted(box) && isLong(box) ? box.length : 0), 0);
  return ink(isVertical) > 1.5 * ink((box) => !isVertical(box));
}

/** Whether it is long enough to tell its direction. */
export function isLong(box: LineBox): boolean {
  return box.length > 2 * box.height;
}
