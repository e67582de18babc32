import type { PageBox } from '../page-text.ts';

/** A word for layout, in coordinates where text runs right and lines go down, however the page is rotated. */
export interface PlacedWord {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  /** Vertical drop per unit to the right, if known. */
  readonly slope?: number;
  readonly confidence: number;
  /** Its box on the page as displayed. */
  readonly box: PageBox;
}

/** Words on one baseline, left to right. */
export interface Row {
  readonly words: readonly PlacedWord[];
  readonly y0: number;
  readonly y1: number;
}

/** 0 for an empty list. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Like Math.min, but for more values than a call takes as arguments. */
export function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** Like Math.max, but for more values than a call takes as arguments. */
export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}
