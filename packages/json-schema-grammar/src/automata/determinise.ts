import { type CharacterClasses, characterClasses } from './character-classes.ts';
import type { CharacterSet } from './character-set.ts';
import { appendTransition, type Dfa, type Transition } from './dfa.ts';
import type { Fragment, Nfa } from './nfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

/** Most states before the pattern is too large. */
const MAX_DFA_STATES = 8_000;
/** Most visits of states and character classes before the pattern is too large. */
const MAX_VISITS = 400_000;

interface TextPosition {
  readonly atStart?: boolean;
  readonly atEnd?: boolean;
}

/**
 * Makes the deterministic automaton of the texts that lead from the fragment's entry to its exit.
 * Once `settled` is reached, every continuation is accepted, so other states are dropped.
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
  /** States by the direct targets of a step: many characters have the same. */
  readonly #byTargets = new Map<string, number>();
  /** 1 for each NFA state that distinguishes subsets. */
  readonly #matters: Uint8Array;
  readonly #asksForEnd: Uint8Array;
  /** The search that last reached each state. */
  readonly #marks: Int32Array;
  #searches = 0;
  readonly #waiting: { readonly state: number; readonly members: readonly number[] }[] = [];
  #visits = 0;

  constructor(nfa: Nfa, exit: number, settled: number | undefined) {
    this.#nfa = nfa;
    this.#exit = exit;
    this.#settled = settled;
    this.#matters = new Uint8Array(nfa.steps.length);
    this.#asksForEnd = new Uint8Array(nfa.steps.length);
    this.#marks = new Int32Array(nfa.steps.length);
    const sets = new Set<CharacterSet>();
    nfa.steps.forEach((steps, state) => {
      for (const { set } of steps) sets.add(set);
      this.#matters[state] = this.#isRemembered(state) ? 1 : 0;
      this.#asksForEnd[state] = nfa.freeSteps[state]?.some(({ only }) => only === 'end') ? 1 : 0;
    });
    this.#classes = characterClasses([...sets]);
  }

  run(entry: number): Dfa {
    // Only the first state is at the start of the text, so it is never shared with a later one.
    const start = this.#add(this.#reach([entry], { atStart: true }), { atStart: true });
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      this.#transitions[next.state] = this.#stepsOf(next.members);
    }
    return { start, transitions: this.#transitions, accepting: this.#accepting };
  }

  #add(members: readonly number[], position: TextPosition): number {
    if (this.#transitions.length >= MAX_DFA_STATES) throw new PatternUnsupported('the pattern is too large');
    const state = this.#transitions.push([]) - 1;
    this.#accepting.push(this.#accepts(members, position));
    this.#waiting.push({ state, members });
    return state;
  }

  /** Members include everything reachable by free steps, except steps that require the end of the text. */
  #accepts(members: readonly number[], { atStart = false }: TextPosition): boolean {
    if (members.includes(this.#exit)) return true;
    if (!members.some((member) => this.#asksForEnd[member])) return false;
    return this.#reach(members, { atStart, atEnd: true }).includes(this.#exit);
  }

  #stateOf(targets: readonly number[]): number {
    const targetKey = targets.join();
    const known = this.#byTargets.get(targetKey);
    if (known !== undefined) return known;
    const reached = this.#reach(targets, {});
    const isSettled = this.#settled !== undefined && reached.includes(this.#settled);
    const members = isSettled ? reached.filter((member) => member === this.#settled) : reached;
    const key = members.join();
    const number = this.#numbers.get(key) ?? this.#add(members, {});
    this.#numbers.set(key, number);
    this.#byTargets.set(targetKey, number);
    return number;
  }

  #reach(from: readonly number[], { atStart = false, atEnd = false }: TextPosition): readonly number[] {
    this.#searches += 1;
    const reached: number[] = [];
    for (const state of from) this.#mark(state, reached);
    for (const state of reached) {
      for (const { target, only } of this.#nfa.freeSteps[state] ?? []) {
        if ((only === 'start' && !atStart) || (only === 'end' && !atEnd)) continue;
        this.#mark(target, reached);
      }
    }
    this.#spend(reached.length);
    return reached.filter((state) => this.#matters[state]).sort((a, b) => a - b);
  }

  #mark(state: number, reached: number[]): void {
    if (this.#marks[state] === this.#searches) return;
    this.#marks[state] = this.#searches;
    reached.push(state);
  }

  #spend(visits: number): void {
    this.#visits += visits;
    if (this.#visits > MAX_VISITS) throw new PatternUnsupported('the pattern is too large');
  }

  /** States with unconditional free steps only do not distinguish subsets. */
  #isRemembered(state: number): boolean {
    const { steps, freeSteps } = this.#nfa;
    const isPassed = steps[state]?.length === 0 && freeSteps[state]?.every(({ only }) => only === undefined);
    return !isPassed || state === this.#exit || state === this.#settled;
  }

  #stepsOf(members: readonly number[]): Transition[] {
    this.#spend(members.length + this.#classes.count);
    const targets: number[][] = Array.from({ length: this.#classes.count }, () => []);
    for (const member of members) {
      for (const { set, target } of this.#nfa.steps[member] ?? []) {
        for (const number of this.#classes.classesOf.get(set) ?? []) targets[number]?.push(target);
      }
    }
    const states = targets.map((found) => (found.length > 0 ? this.#stateOf(found) : undefined));
    const transitions: Transition[] = [];
    for (const { low, high, class: number } of this.#classes.intervals) {
      const target = states[number];
      if (target !== undefined) appendTransition(transitions, { low, high, target });
    }
    return transitions;
  }
}
