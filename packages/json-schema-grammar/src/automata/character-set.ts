/** Code points from `low` to `high`, both included. */
export interface CharacterRange {
  readonly low: number;
  readonly high: number;
}

/** A set of code points: sorted ranges that neither overlap nor touch. */
export type CharacterSet = readonly CharacterRange[];

export const LAST_CODE_POINT = 0x10ffff;
export const ANY_CHARACTER: CharacterSet = [{ low: 0, high: LAST_CODE_POINT }];

/** The set of the code points in these ranges, given in any order. */
export function characterSet(ranges: readonly CharacterRange[]): CharacterSet {
  const sorted = ranges.filter(({ low, high }) => low <= high).sort((a, b) => a.low - b.low);
  const merged: { low: number; high: number }[] = [];
  for (const { low, high } of sorted) {
    const last = merged.at(-1);
    if (last && low <= last.high + 1) last.high = Math.max(last.high, high);
    else merged.push({ low, high });
  }
  return merged;
}

/** The set of one code point. */
export function singleCharacter(codePoint: number): CharacterSet {
  return [{ low: codePoint, high: codePoint }];
}

/** Every code point that is not in the set. */
export function complementSet(set: CharacterSet): CharacterSet {
  const gaps: CharacterRange[] = [];
  let next = 0;
  for (const { low, high } of set) {
    if (low > next) gaps.push({ low: next, high: low - 1 });
    next = high + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push({ low: next, high: LAST_CODE_POINT });
  return gaps;
}

/** Whether two sets hold the same code points. */
export function areSameSets(left: CharacterSet, right: CharacterSet): boolean {
  return (
    left.length === right.length &&
    left.every(({ low, high }, index) => low === right[index]?.low && high === right[index]?.high)
  );
}

/** The code points in both sets. */
export function intersectSets(left: CharacterSet, right: CharacterSet): CharacterSet {
  const shared: CharacterRange[] = [];
  let [leftIndex, rightIndex] = [0, 0];
  for (;;) {
    const a = left[leftIndex];
    const b = right[rightIndex];
    if (!a || !b) return shared;
    const low = Math.max(a.low, b.low);
    const high = Math.min(a.high, b.high);
    if (low <= high) shared.push({ low, high });
    if (a.high < b.high) leftIndex += 1;
    else rightIndex += 1;
  }
}

/** `\d` */
export const DIGITS: CharacterSet = [{ low: 0x30, high: 0x39 }];

/** `\w` */
export const WORD_CHARACTERS: CharacterSet = characterSet([
  { low: 0x30, high: 0x39 },
  { low: 0x41, high: 0x5a },
  { low: 0x5f, high: 0x5f },
  { low: 0x61, high: 0x7a },
]);

/** `\s` */
export const WHITE_SPACE: CharacterSet = characterSet([
  { low: 0x09, high: 0x0d },
  { low: 0x20, high: 0x20 },
  { low: 0xa0, high: 0xa0 },
  { low: 0x1680, high: 0x1680 },
  { low: 0x2000, high: 0x200a },
  { low: 0x2028, high: 0x2029 },
  { low: 0x202f, high: 0x202f },
  { low: 0x205f, high: 0x205f },
  { low: 0x3000, high: 0x3000 },
  { low: 0xfeff, high: 0xfeff },
]);

/** `.`: any character except line terminators. */
export const NOT_LINE_END: CharacterSet = complementSet([
  { low: 0x0a, high: 0x0a },
  { low: 0x0d, high: 0x0d },
  { low: 0x2028, high: 0x2029 },
]);
