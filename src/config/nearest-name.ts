/** The known name closest to a typo, or undefined if none is close. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const furthest = Math.max(1, Math.floor(typed.length / 3));
  let nearest: string | undefined;
  let nearestDistance = furthest + 1;
  for (const name of known) {
    if (Math.abs(name.length - typed.length) > furthest) continue;
    const distance = editDistance(typed.toLowerCase().replaceAll('-', '_'), name.replaceAll('-', '_'));
    if (distance < nearestDistance) [nearest, nearestDistance] = [name, distance];
  }
  return nearest;
}

/** Edit distance with insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + changed,
        swapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
