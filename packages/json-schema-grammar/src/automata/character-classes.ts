import type { CharacterSet } from './character-set.ts';

/** Code points grouped into classes: members of a class belong to the same sets. */
export interface CharacterClasses {
  readonly count: number;
  /** The code points that belong to any set, in order. */
  readonly intervals: readonly Interval[];
  /** The classes that make up each set. */
  readonly classesOf: ReadonlyMap<CharacterSet, readonly number[]>;
}

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly class: number;
}

/** Groups code points by the sets they belong to. */
export function characterClasses(sets: readonly CharacterSet[]): CharacterClasses {
  const classesOf = new Map<CharacterSet, number[]>(sets.map((set) => [set, []]));
  const numbers = new Map<string, number>();
  const intervals: Interval[] = [];
  sweep(sets, ({ low, high, holders }) => {
    const key = [...holders].sort((a, b) => a - b).join();
    const number = numbers.get(key) ?? numbers.size;
    intervals.push({ low, high, class: number });
    if (numbers.has(key)) return;
    numbers.set(key, number);
    for (const holder of holders) classesOf.get(sets[holder] ?? [])?.push(number);
  });
  return { count: numbers.size, intervals, classesOf };
}

interface Stretch {
  readonly low: number;
  readonly high: number;
  /** Indices of the sets that contain all of it. */
  readonly holders: ReadonlySet<number>;
}

/** Visits the stretches of code points between the boundaries of all ranges. */
function sweep(sets: readonly CharacterSet[], visit: (stretch: Stretch) => void): void {
  const ends = sets.flatMap((set, index) =>
    set.flatMap(({ low, high }) => [
      { at: low, index, isBegin: true },
      { at: high + 1, index, isBegin: false },
    ]),
  );
  ends.sort((a, b) => a.at - b.at);
  const holders = new Set<number>();
  let low = 0;
  for (const { at, index, isBegin } of ends) {
    if (at > low && holders.size > 0) visit({ low, high: at - 1, holders });
    low = at;
    if (isBegin) holders.add(index);
    else holders.delete(index);
  }
}
