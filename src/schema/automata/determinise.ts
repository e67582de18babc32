import { type CharacterClasses, characterClasses } from './character-classes.ts';
import { appendTransition, type Dfa, type Transition } from './dfa.ts';
import type { Fragment, Nfa } from './nfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

/** How many states the subset construction may reach before the pattern counts as too large. */
const MAX_DFA_STATES = 8_000;
/** How many states and characters it may look at in all. */
const MAX_VISITS = 400_000;

interface Place {
  readonly atStart?: boolean;
  readonly atEnd?: boolean;
}

/**
 * The deterministic automaton that accepts what leads from the fragment's entry to its exit.
 * Once `settled` is reached the text is accepted whatever follows, and nothing else needs to be kept track of.
 */
export function determinise(nfa: Nfa, fragment: Fragment, settled?: number): Dfa {
  return new SubsetConstruction(nfa, fragment.exit, settled).run(fragment.entry);
}

class SubsetConstruction {
  readonly #nfa: Nfa;
  readonly #exit: number;
  readonly #settled: number | undefined;
  readonly #classes: CharacterClasses;
  readonly #transitions: Transition[][] = [];
  readonly #accepting: boolean[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #waiting: { readonly state: number; readonly members: readonly number[] }[] = [];
  #visits = 0;

  constructor(nfa: Nfa, exit: number, settled: number | undefined) {
    this.#nfa = nfa;
    this.#exit = exit;
    this.#settled = settled;
    this.#classes = characterClasses([...new Set(nfa.steps.flatMap((steps) => steps.map(({ set }) => set)))]);
  }

  run(entry: number): Dfa {
    // The first state alone stands at the start of the text, so it is never shared with a later one.
    const start = this.#add(this.#reach([entry], { atStart: true }), { atStart: true });
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      this.#transitions[next.state] = this.#stepsOf(next.members);
    }
    return { start, transitions: this.#transitions, accepting: this.#accepting };
  }

  #add(members: readonly number[], place: Place): number {
    if (this.#transitions.length >= MAX_DFA_STATES) throw new PatternUnsupported('the pattern is too large');
    const state = this.#transitions.push([]) - 1;
    this.#accepting.push(this.#reach(members, { ...place, atEnd: true }).includes(this.#exit));
    this.#waiting.push({ state, members });
    return state;
  }

  #stateOf(targets: ReadonlySet<number>): number {
    const reached = this.#reach([...targets], {});
    const isSettled = this.#settled !== undefined && reached.includes(this.#settled);
    const members = isSettled ? reached.filter((member) => member === this.#settled) : reached;
    const key = members.join();
    const number = this.#numbers.get(key) ?? this.#add(members, {});
    this.#numbers.set(key, number);
    return number;
  }

  #reach(from: readonly number[], { atStart = false, atEnd = false }: Place): readonly number[] {
    const reached = new Set(from);
    for (const state of reached) {
      for (const { target, only } of this.#nfa.freeSteps[state] ?? []) {
        if ((only === 'start' && !atStart) || (only === 'end' && !atEnd)) continue;
        reached.add(target);
      }
    }
    this.#spend(reached.size);
    return [...reached].filter((state) => this.#matters(state)).sort((a, b) => a - b);
  }

  #spend(visits: number): void {
    this.#visits += visits;
    if (this.#visits > MAX_VISITS) throw new PatternUnsupported('the pattern is too large');
  }

  /** States that were only passed through need not be remembered. */
  #matters(state: number): boolean {
    const { steps, freeSteps } = this.#nfa;
    const isPassed = steps[state]?.length === 0 && freeSteps[state]?.every(({ only }) => only === undefined);
    return !isPassed || state === this.#exit || state === this.#settled;
  }

  #stepsOf(members: readonly number[]): Transition[] {
    this.#spend(members.length + this.#classes.count);
    const targets = Array.from({ length: this.#classes.count }, () => new Set<number>());
    for (const member of members) {
      for (const { set, target } of this.#nfa.steps[member] ?? []) {
        for (const number of this.#classes.classesOf.get(set) ?? []) targets[number]?.add(target);
      }
    }
    const states = targets.map((found) => (found.size > 0 ? this.#stateOf(found) : undefined));
    const transitions: Transition[] = [];
    for (const { low, high, class: number } of this.#classes.intervals) {
      const target = states[number];
      if (target !== undefined) appendTransition(transitions, { low, high, target });
    }
    return transitions;
  }
}
