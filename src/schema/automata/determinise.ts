import { appendTransition, type Dfa, type Transition } from './dfa.ts';
import type { Fragment, Nfa } from './nfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

/** How many states the subset construction may reach before the pattern counts as too large. */
const MAX_DFA_STATES = 8_000;

interface Place {
  readonly atStart?: boolean;
  readonly atEnd?: boolean;
}

/**
 * The deterministic automaton that accepts what leads from the fragment's entry to its exit.
 * Once `settled` is reached the text is accepted whatever follows, and nothing else needs to be kept track of.
 */
export function determinise(nfa: Nfa, { entry, exit }: Fragment, settled?: number): Dfa {
  const transitions: Transition[][] = [];
  const accepting: boolean[] = [];
  const numbers = new Map<string, number>();
  const waiting: { readonly state: number; readonly members: readonly number[] }[] = [];

  const addState = (members: readonly number[], place: Place): number => {
    if (transitions.length >= MAX_DFA_STATES) throw new PatternUnsupported('the pattern is too large');
    const state = transitions.push([]) - 1;
    accepting.push(reach(nfa, members, { ...place, atEnd: true }).includes(exit));
    waiting.push({ state, members });
    return state;
  };
  const stateOf = (targets: readonly number[]): number => {
    const reached = reach(nfa, targets, {});
    const members = settled !== undefined && reached.includes(settled) ? [settled] : reached;
    const key = members.join();
    const number = numbers.get(key) ?? addState(members, {});
    numbers.set(key, number);
    return number;
  };

  // The first state alone stands at the start of the text, so it is never shared with a later one.
  const start = addState(reach(nfa, [entry], { atStart: true }), { atStart: true });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    transitions[next.state] = stepsOf(nfa, next.members, stateOf);
  }
  return { start, transitions, accepting };
}

function reach(nfa: Nfa, from: readonly number[], { atStart = false, atEnd = false }: Place): number[] {
  const reached = new Set(from);
  for (const state of reached) {
    for (const { target, only } of nfa.freeSteps[state] ?? []) {
      if ((only === 'start' && !atStart) || (only === 'end' && !atEnd)) continue;
      reached.add(target);
    }
  }
  return [...reached].sort((a, b) => a - b);
}

/** Cuts the characters wherever a step begins or ends; between two cuts all characters lead to the same states. */
function stepsOf(
  nfa: Nfa,
  members: readonly number[],
  stateOf: (targets: readonly number[]) => number,
): Transition[] {
  const steps = members.flatMap((member) => nfa.steps[member] ?? []);
  const cuts = [...new Set(steps.flatMap(({ low, high }) => [low, high + 1]))].sort((a, b) => a - b);
  const transitions: Transition[] = [];
  cuts.slice(0, -1).forEach((low, index) => {
    const high = (cuts[index + 1] ?? low) - 1;
    const targets = steps.filter((step) => step.low <= low && high <= step.high).map(({ target }) => target);
    if (targets.length > 0) appendTransition(transitions, { low, high, target: stateOf(targets) });
  });
  return transitions;
}
