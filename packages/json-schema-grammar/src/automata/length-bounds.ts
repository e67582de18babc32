import type { Dfa } from './dfa.ts';
import { forEachSource, invertSteps } from './inverse.ts';

/** For each state of a trimmed automaton, the number of characters that may follow. */
export interface LengthBounds {
  readonly shortest: readonly number[];
  /** Infinity if a loop can follow. */
  readonly longest: readonly number[];
}

/** Computes the lengths of the shortest and the longest text accepted from each state. */
export function lengthBounds(dfa: Dfa): LengthBounds {
  return { shortest: shortestLengths(dfa), longest: longestLengths(dfa) };
}

/** Whether every loop consists of a single state. */
export function loopsInPlace(dfa: Dfa): boolean {
  const transitions = dfa.transitions.map((steps, state) => steps.filter(({ target }) => target !== state));
  return longestLengths({ ...dfa, transitions }).every((length) => length < Infinity);
}

function shortestLengths(dfa: Dfa): readonly number[] {
  const inverse = invertSteps(dfa);
  const lengths: number[] = dfa.accepting.map((accepts) => (accepts ? 0 : Infinity));
  const reached = [...lengths.keys()].filter((state) => lengths[state] === 0);
  for (const state of reached) {
    forEachSource(inverse, state, (source) => {
      if (lengths[source] !== Infinity) return;
      lengths[source] = (lengths[state] ?? 0) + 1;
      reached.push(source);
    });
  }
  return lengths;
}

/** A state is measured after all its targets; a state that is never measured leads into a loop. */
function longestLengths(dfa: Dfa): readonly number[] {
  const inverse = invertSteps(dfa);
  const open = dfa.transitions.map((steps) => steps.length);
  const lengths: number[] = dfa.transitions.map((steps) => (steps.length === 0 ? 0 : Infinity));
  const measured = [...open.keys()].filter((state) => open[state] === 0);
  for (const state of measured) {
    forEachSource(inverse, state, (source) => {
      const left = (open[source] ?? 0) - 1;
      open[source] = left;
      if (left !== 0) return;
      let longest = 0;
      for (const { target } of dfa.transitions[source] ?? []) {
        longest = Math.max(longest, lengths[target] ?? 0);
      }
      lengths[source] = longest + 1;
      measured.push(source);
    });
  }
  return lengths;
}
