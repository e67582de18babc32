import { ANY_CHARACTER, type CharacterSet, LAST_CODE_POINT } from './character-set.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

/** The limit of other automata. */
const MAX_LENGTH_STATES = 8_000;

/** A transition on any character of a range. */
export interface Transition {
  readonly low: number;
  readonly high: number;
  readonly target: number;
}

/**
 * A deterministic automaton over code points; represents every language of strings and numbers.
 * The transitions of a state are sorted and do not overlap; without a matching one, the text is rejected.
 */
export interface Dfa {
  readonly start: number;
  readonly transitions: readonly (readonly Transition[])[];
  readonly accepting: readonly boolean[];
}

/** Rejects every text. */
export const EMPTY_LANGUAGE: Dfa = { start: 0, transitions: [[]], accepting: [false] };

/** Accepts every text. */
export const ANY_TEXT: Dfa = {
  start: 0,
  transitions: [ANY_CHARACTER.map((range) => ({ ...range, target: 0 }))],
  accepting: [true],
};

/** Whether the automaton accepts the text, in time linear in its length. */
export function testDfa(dfa: Dfa, text: string): boolean {
  let state: number | undefined = dfa.start;
  for (const character of text) {
    state = nextState(dfa, state, character.codePointAt(0) ?? 0);
    if (state === undefined) return false;
  }
  return dfa.accepting[state] === true;
}

function nextState(dfa: Dfa, state: number, codePoint: number): number | undefined {
  return dfa.transitions[state]?.find(({ low, high }) => low <= codePoint && codePoint <= high)?.target;
}

/** Whether a trimmed automaton accepts no text. */
export function isEmptyLanguage(dfa: Dfa): boolean {
  return !dfa.accepting.includes(true);
}

/** Accepts any text with `min` to `max` characters; throws PatternUnsupported if that takes too many states. */
export function lengthDfa(min: number, max: number): Dfa {
  const last = max === Infinity ? min : max;
  if (last >= MAX_LENGTH_STATES) throw new PatternUnsupported('the length is too large');
  const transitions = Array.from({ length: last + 1 }, (_, length): readonly Transition[] => {
    if (length < last) return [{ low: 0, high: LAST_CODE_POINT, target: length + 1 }];
    return max === Infinity ? [{ low: 0, high: LAST_CODE_POINT, target: length }] : [];
  });
  return { start: 0, transitions, accepting: transitions.map((_, length) => length >= min) };
}

/** Appends a transition; merges it with the last if they are adjacent and have the same target. */
export function appendTransition(transitions: Transition[], next: Transition): void {
  const last = transitions.at(-1);
  const continues = last && last.target === next.target && last.high + 1 === next.low;
  if (continues)
    transitions[transitions.length - 1] = { low: last.low, high: next.high, target: next.target };
  else transitions.push(next);
}

/** The characters that lead to each target. */
export function charactersByTarget(transitions: readonly Transition[]): ReadonlyMap<number, CharacterSet> {
  const byTarget = new Map<number, { low: number; high: number }[]>();
  for (const { low, high, target } of transitions) {
    const ranges = byTarget.get(target);
    if (ranges) ranges.push({ low, high });
    else byTarget.set(target, [{ low, high }]);
  }
  return byTarget;
}
