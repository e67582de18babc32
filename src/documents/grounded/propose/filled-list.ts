import type { SourceRange } from './network-answers.ts';

/** Where a leaf of an item stands. */
export interface FilledLeaf extends SourceRange {
  /** Its words, if other things stand between them. */
  readonly ranges?: readonly SourceRange[] | undefined;
  /** By the network; absent if rules found it. */
  readonly probability?: number | undefined;
}

export interface FilledItem {
  readonly value: unknown;
  /** By property; under an empty name for a plain value. */
  readonly leaves: ReadonlyMap<string, FilledLeaf>;
}

/** A list built from the text. */
export interface FilledList {
  readonly items: readonly FilledItem[];
  /** Score relative to lists built the same way. */
  readonly fit: number;
  /** Whether a heading, labels or the titles of columns say that it is this list. */
  readonly isNamed: boolean;
  /** Whether it has all rows of its section, so that others belong to another list. */
  readonly isWhole?: boolean;
}

/** The spans that a list used. */
export function rangesOf({ items }: FilledList): readonly SourceRange[] {
  return items.flatMap(({ leaves }) => Array.from(leaves.values()).flatMap((leaf) => leaf.ranges ?? [leaf]));
}

/** The list with offsets behind other files. */
export function placedAfter(list: FilledList, before: number): FilledList {
  const moved = ({ start, end }: SourceRange) => ({ start: before + start, end: before + end });
  const items = list.items.map(({ value, leaves }) => ({
    value,
    leaves: new Map(Array.from(leaves, ([name, leaf]) => [name, moved(leaf)])),
  }));
  return { ...list, items };
}
