import type { Dfa } from './dfa.ts';

/** The sources of each state in one array: those of `target` start at `first[target]`. */
export interface Inverse {
  readonly first: Int32Array;
  readonly sources: Int32Array;
}

/** Inverts the transitions of an automaton; a source with several ranges to a target appears once for each. */
export function invertSteps({ transitions }: Dfa): Inverse {
  const first = new Int32Array(transitions.length + 1);
  for (const steps of transitions) {
    for (const { target } of steps) first[target + 1] = (first[target + 1] ?? 0) + 1;
  }
  return place(first, (put) => {
    transitions.forEach((steps, state) => {
      for (const { target } of steps) put(target, state);
    });
  });
}

/** Inverts a column: the target of each state on one character class. */
export function invertColumn(column: Int32Array): Inverse {
  const first = new Int32Array(column.length + 1);
  for (const target of column) first[target + 1] = (first[target + 1] ?? 0) + 1;
  return place(first, (put) => column.forEach(put));
}

/** Visits the sources of a state. */
export function forEachSource(
  { first, sources }: Inverse,
  target: number,
  visit: (source: number) => void,
): void {
  const end = first[target + 1] ?? 0;
  for (let index = first[target] ?? 0; index < end; index++) visit(sources[index] ?? 0);
}

/** `first[target + 1]` initially holds the number of sources of `target`. */
function place(first: Int32Array, putAll: (put: (target: number, source: number) => void) => void): Inverse {
  for (let state = 1; state < first.length; state++) {
    first[state] = (first[state] ?? 0) + (first[state - 1] ?? 0);
  }
  const next = first.slice();
  const sources = new Int32Array(first.at(-1) ?? 0);
  putAll((target, source) => {
    const index = next[target] ?? 0;
    sources[index] = source;
    next[target] = index + 1;
  });
  return { first, sources };
}
