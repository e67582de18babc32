import type { PageBox } from '../page-text.ts';

/** A word for layout: in a plane where text runs to the right and lines go down, whatever the page looks like. */
export interface PlacedWord {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  /** How much its line falls per unit to the right, where it is known. */
  readonly slope?: number;
  readonly confidence: number;
  /** Where it stands on the page as it is shown. */
  readonly box: PageBox;
}

/** Words on one baseline, left to right. */
export interface Row {
  readonly words: readonly PlacedWord[];
  readonly y0: number;
  readonly y1: number;
}

/** The value in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The smallest of many values, more than may be arguments of one call. */
export function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** The largest of many values. */
export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}
