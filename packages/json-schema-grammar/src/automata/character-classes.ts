import type { CharacterSet } from './character-set.ts';

/** The code points divided into classes whose members are in the same sets. */
export interface CharacterClasses {
  readonly count: number;
  /** What is in some set, in order of code points. */
  readonly intervals: readonly Interval[];
  /** The classes each set is made of. */
  readonly classesOf: ReadonlyMap<CharacterSet, readonly number[]>;
}

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly class: number;
}

/** Divides the code points by the sets they are in. */
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
  /** The sets, by index, that hold all of it. */
  readonly holders: ReadonlySet<number>;
}

/** Walks through the code points, stopping wherever a range of some set begins or ends. */
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
