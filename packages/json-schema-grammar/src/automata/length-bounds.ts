import type { Dfa } from './dfa.ts';
import { forEachSource, invertSteps } from './inverse.ts';

/** For each state of a trimmed automaton, how many characters may follow until the text ends. */
export interface LengthBounds {
  readonly shortest: readonly number[];
  /** Infinity where the automaton can loop. */
  readonly longest: readonly number[];
}

/** Measures the shortest and the longest text that is accepted from each state on. */
export function lengthBounds(dfa: Dfa): LengthBounds {
  return { shortest: shortestLengths(dfa), longest: longestLengths(dfa) };
}

/** Whether states lead back to themselves, if at all, only one by one. */
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

/** A state is measured once all it leads to are; one that never is leads into a loop. */
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
