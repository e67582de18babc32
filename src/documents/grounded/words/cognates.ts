/** Fewer letters in common say nothing. */
const SHORTEST = 6;
/** Their share of the longer word: `technician` and `technicien` have eight of ten. */
const LEAST_SHARE = 0.7;

/** Whether two words without accents are the same one in two languages, or two of its forms, by how they begin. */
export function areCognates(one: string, other: string): boolean {
  const shared = sharedLetters(one, other);
  return shared >= SHORTEST && shared >= LEAST_SHARE * Math.max(one.length, other.length);
}

/** The word of a sorted list that begins most like another; undefined if none is near. */
export function cognateIn(sorted: readonly string[], word: string): string | undefined {
  // Those with the most letters in common stand beside it in order.
  const at = placeIn(sorted, word);
  const [before, after] = [sorted[at - 1] ?? '', sorted[at] ?? ''];
  const nearest = sharedLetters(after, word) > sharedLetters(before, word) ? after : before;
  return areCognates(nearest, word) ? nearest : undefined;
}

/** The number of the first word that is not before another. */
function placeIn(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sharedLetters(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one[shared] === other[shared]) shared++;
  return shared;
}
