/** A line of a difference. */
export interface DifferenceLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Above this many pairs of lines the exact difference would take too long; then all is shown as changed. */
const MOST_PAIRS = 4_000_000;

/** The lines of two texts, with as few as possible added and removed. */
export function lineDifference(before: string, after: string): readonly DifferenceLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const head = sharedLines(old, now);
  const tail = sharedLines(old.slice(head).reverse(), now.slice(head).reverse());
  const lines = (kind: DifferenceLine['kind'], texts: readonly string[]) =>
    texts.map((text) => ({ kind, text }));
  const middle = { old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
  return [
    ...lines('same', old.slice(0, head)),
    ...middleOf(middle.old, middle.now),
    ...lines('same', old.slice(old.length - tail)),
  ];
}

function sharedLines(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

function middleOf(old: readonly string[], now: readonly string[]): readonly DifferenceLine[] {
  const removed = (text: string): DifferenceLine => ({ kind: 'removed', text });
  const added = (text: string): DifferenceLine => ({ kind: 'added', text });
  if (old.length * now.length > MOST_PAIRS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  // The length of the longest common part of what is left, for every pair of positions.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DifferenceLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      lines.push({ kind: 'same', text: old[row] ?? '' });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push(removed(old[row] ?? ''));
      row += 1;
    } else {
      lines.push(added(now[column] ?? ''));
      column += 1;
    }
  }
  return [...lines, ...old.slice(row).map(removed), ...now.slice(column).map(added)];
}
