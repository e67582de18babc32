import type { Dfa } from './dfa.ts';

/** How long the accepted texts of a trimmed automaton are; `longest` is Infinity where it can loop. */
export interface LengthBounds {
  readonly shortest: number;
  readonly longest: number;
  /** Whether states lead back to themselves, if at all, only one by one. */
  readonly loopsInPlace: boolean;
}

/** Measures the shortest and the longest text an automaton accepts. */
export function lengthBounds(dfa: Dfa): LengthBounds {
  const straight = withoutLoops(dfa);
  return {
    shortest: shortestLength(dfa),
    longest: longestLength(dfa),
    loopsInPlace: longestLength(straight) < Infinity,
  };
}

function withoutLoops(dfa: Dfa): Dfa {
  const transitions = dfa.transitions.map((steps, state) => steps.filter(({ target }) => target !== state));
  return { ...dfa, transitions };
}

function shortestLength(dfa: Dfa): number {
  let frontier = new Set([dfa.start]);
  const seen = new Set(frontier);
  for (let length = 0; frontier.size > 0; length++) {
    if ([...frontier].some((state) => dfa.accepting[state])) return length;
    const next = new Set<number>();
    for (const state of frontier) {
      for (const { target } of dfa.transitions[state] ?? []) {
        if (!seen.has(target)) next.add(target);
        seen.add(target);
      }
    }
    frontier = next;
  }
  return Infinity;
}

/** States are removed once nothing leads to them any more; one that is never free of predecessors is in a loop. */
function longestLength(dfa: Dfa): number {
  const predecessors = new Int32Array(dfa.transitions.length);
  for (const { target } of dfa.transitions.flat()) predecessors[target] = (predecessors[target] ?? 0) + 1;
  const depth = new Int32Array(dfa.transitions.length);
  const free = [...predecessors.keys()].filter((state) => predecessors[state] === 0);
  let longest = 0;
  let removed = 0;
  for (let state = free.pop(); state !== undefined; state = free.pop()) {
    removed += 1;
    if (dfa.accepting[state]) longest = Math.max(longest, depth[state] ?? 0);
    for (const { target } of dfa.transitions[state] ?? []) {
      depth[target] = Math.max(depth[target] ?? 0, (depth[state] ?? 0) + 1);
      predecessors[target] = (predecessors[target] ?? 0) - 1;
      if (predecessors[target] === 0) free.push(target);
    }
  }
  return removed === dfa.transitions.length ? longest : Infinity;
}
