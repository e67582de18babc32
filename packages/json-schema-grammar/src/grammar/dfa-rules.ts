import { areSameSets, type CharacterSet } from '../automata/character-set.ts';
import { charactersByTarget, type Dfa } from '../automata/dfa.ts';
import { type LengthBounds, lengthBounds } from '../automata/length-bounds.ts';
import type { Loop } from '../automata/loop-nest.ts';
import { MAX_REPETITION } from '../terms/budgets.ts';
import { characterSymbol, keyOfSet, type Writing } from './character-symbol.ts';
import {
  type Alternative,
  type GrammarBuilder,
  type GrammarSymbol,
  type RuleId,
  repeated,
  rule,
} from './grammar-builder.ts';
import { LoopPaths, type Paths } from './loop-paths.ts';

/** Options of `addDfaRules`. */
interface DfaRuleOptions {
  readonly writing: Writing;
  /** Most repetitions of a single-state loop, unless lengths decide. */
  readonly maxLoops?: number;
  /** Most rounds of a loop of several states, likewise. */
  readonly maxRounds?: number;
  /** Bounds on the characters of a text. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Adds rules for the texts of a trimmed automaton within the length bounds; returns the first rule. */
export function addDfaRules(grammar: GrammarBuilder, dfa: Dfa, options: DfaRuleOptions): RuleId {
  return new DfaRules(grammar, dfa, options).build();
}

/** A state, with the number of characters read while that matters, and otherwise with the paths of its loops. */
interface StatePosition {
  readonly state: number;
  readonly read?: number | undefined;
  readonly paths: Paths;
}

const NO_LOOPS: Paths = [];

/** The characters that lead from a state to a target. */
interface Exit {
  readonly target: number;
  readonly set: CharacterSet;
  readonly symbol: GrammarSymbol;
}

/** The rest of the text is any number of characters of one set, up to `count`. */
interface Tail {
  readonly set: CharacterSet;
  readonly count: number;
}

type GoTo = (position: StatePosition) => GrammarSymbol;

class DfaRules {
  readonly #grammar: GrammarBuilder;
  readonly #dfa: Dfa;
  readonly #writing: Writing;
  readonly #maxLoops: number;
  readonly #maxRounds: number;
  readonly #min: number;
  readonly #max: number;
  /** Set if lengths are bounded. */
  readonly #bounds: LengthBounds | undefined;
  /** Set if rounds are bounded. */
  readonly #loops: LoopPaths | undefined;
  readonly #roundRules = new Map<Loop, RuleId>();
  readonly #exits = new Map<number, readonly Exit[]>();
  readonly #tails = new Map<number, Tail | undefined>();
  /** The number of states that lead to each state; plus one for the start state. */
  readonly #entries: Int32Array;

  constructor(grammar: GrammarBuilder, dfa: Dfa, options: DfaRuleOptions) {
    this.#grammar = grammar;
    this.#dfa = dfa;
    this.#writing = options.writing;
    this.#maxLoops = options.maxLoops ?? Infinity;
    this.#maxRounds = options.maxRounds ?? Infinity;
    if (this.#maxRounds < Infinity) this.#loops = new LoopPaths(dfa);
    this.#min = options.minLength ?? 0;
    this.#max = options.maxLength ?? Infinity;
    this.#entries = countEntries(dfa);
    if (this.#min > 0 || this.#max < Infinity) this.#bounds = lengthBounds(dfa);
  }

  build(): RuleId {
    if (this.#shortest(this.#dfa.start) > this.#max) return this.#grammar.add('text', []);
    const stateRules = this.#grammar.states<StatePosition>(
      this.#writing === 'plain' ? 'digits' : 'text',
      (position) => this.#keyOf(position),
      (position, goTo) => this.#alternatives(position, goTo),
    );
    return stateRules(this.#count(this.#dfa.start, 0));
  }

  #keyOf({ state, read, paths }: StatePosition): string | number {
    if (paths.length > 0) return `${state} ${paths}`;
    return read === undefined ? state : state + this.#dfa.transitions.length * (read + 1);
  }

  /** Stops counting once every continuation has a valid length. */
  #count(state: number, read: number): StatePosition {
    const isLongEnough = read + this.#shortest(state) >= this.#min;
    const isShortEnough = read + this.#longest(state) <= this.#max;
    if (!isLongEnough || !isShortEnough) return { state, read, paths: NO_LOOPS };
    return { state, paths: this.#loops?.into(state) ?? NO_LOOPS };
  }

  #alternatives(position: StatePosition, goTo: GoTo): readonly Alternative[] {
    const { state, paths } = position;
    const circle = this.#loops?.loopFrom(state, paths);
    if (circle) return this.#rounds(circle, position, goTo);
    const exits = this.#exitsOf(state);
    const loop = exits.find(({ target }) => target === state);
    const count = loop && this.#loopCount(position);
    if (!count) return this.#steps(exits, position, goTo);
    const looping = this.#loopOf(loop.set);
    // Loop and exit characters are disjoint, so the repetition is unambiguous.
    const others = exits.filter((exit) => exit !== loop);
    const steps = this.#steps(others, { state, paths }, goTo);
    const rest = steps.length === 1 ? (steps[0] ?? []) : [rule(this.#grammar.add('rest', steps))];
    return [[repeated(looping, count.min, count.max), ...rest]];
  }

  #exitsOf(state: number): readonly Exit[] {
    const known = this.#exits.get(state);
    if (known) return known;
    const targets = charactersByTarget(this.#dfa.transitions[state] ?? []);
    const exits: Exit[] = [];
    for (const [target, set] of targets) {
      exits.push({ target, set, symbol: characterSymbol(this.#grammar, set, this.#writing) });
    }
    this.#exits.set(state, exits);
    return exits;
  }

  /** At the head of a loop: any number of rounds, then the exit. */
  #rounds(loop: Loop, { state, paths }: StatePosition, goTo: GoTo): readonly Alternative[] {
    const loops = this.#loops;
    if (!loops) return [];
    let rounds = this.#roundRules.get(loop);
    if (rounds === undefined) {
      const round = this.#grammar.add('round', [[goTo({ state, paths: loops.round(loop) })]]);
      rounds = this.#grammar.add('rounds', [[repeated(round, 0, this.#maxRounds)]]);
      this.#roundRules.set(loop, rounds);
    }
    return [[rule(rounds), goTo({ state, paths: loops.out(paths) })]];
  }

  #steps(exits: readonly Exit[], position: StatePosition, goTo: GoTo): readonly Alternative[] {
    const { state, read, paths } = position;
    const alternatives: Alternative[] = [];
    for (const { target, symbol } of exits) {
      const next = this.#after(position, target);
      if (next) alternatives.push(next === 'done' ? [symbol] : [symbol, ...this.#onward(next, goTo)]);
    }
    const mayEnd = read === undefined ? paths[0] !== 'round' : read >= this.#min;
    if (this.#dfa.accepting[state] && mayEnd) alternatives.push([]);
    return alternatives;
  }

  /** The position after a step; `done` at the end of a round, undefined if the step is not allowed. */
  #after({ state, read, paths }: StatePosition, target: number): StatePosition | 'done' | undefined {
    if (read !== undefined) {
      return read + 1 + this.#shortest(target) > this.#max ? undefined : this.#count(target, read + 1);
    }
    const after = this.#loops ? this.#loops.after(state, paths, target) : NO_LOOPS;
    return after === undefined || after === 'done' ? after : { state: target, paths: after };
  }

  /** The symbols after a step. States with a single entry and exit are inlined; a tail becomes a shared rule. */
  #onward(next: StatePosition, goTo: GoTo): Alternative {
    const symbols: GrammarSymbol[] = [];
    let position = next;
    for (;;) {
      const only = isFree(position) ? this.#onlyExit(position.state) : undefined;
      if (!only) break;
      symbols.push(only.symbol);
      position = { state: only.target, paths: this.#loops?.into(only.target) ?? NO_LOOPS };
    }
    const tail = isFree(position) ? this.#tailOf(position.state) : undefined;
    if (!tail) symbols.push(goTo(position));
    else if (tail.count > 0) symbols.push(rule(this.#tailRule(tail)));
    return symbols;
  }

  // Shared, since llama.cpp expands every repetition in the grammar.
  #tailRule({ set, count }: Tail): RuleId {
    return this.#grammar.share(`tail ${this.#writing} ${count} ${keyOfSet(set)}`, () =>
      this.#grammar.add('tail', [[repeated(this.#loopOf(set), 0, count)]]),
    );
  }

  #onlyExit(state: number): Exit | undefined {
    if (this.#entries[state] !== 1 || this.#dfa.accepting[state]) return undefined;
    const exits = this.#exitsOf(state);
    return exits.length === 1 ? exits[0] : undefined;
  }

  #tailOf(first: number): Tail | undefined {
    const chain: { readonly state: number; readonly exit: Exit | undefined }[] = [];
    let state = first;
    // A loop instead of recursion: the chain may be as long as the pattern allows.
    while (!this.#tails.has(state) && this.#dfa.accepting[state]) {
      const exits = this.#exitsOf(state);
      const [exit] = exits;
      if (exits.length > 1 || exit?.target === state) break;
      chain.push({ state, exit });
      // Marks the state as seen: a loop is not a tail.
      this.#tails.set(state, undefined);
      if (!exit) break;
      state = exit.target;
    }
    let tail = this.#tails.get(state);
    for (const { state: owner, exit } of chain.toReversed()) {
      tail = exit ? longerTail(tail, exit.set) : { set: [], count: 0 };
      this.#tails.set(owner, tail);
    }
    return this.#tails.get(first);
  }

  #loopOf(set: CharacterSet): RuleId {
    return this.#grammar.share(`loop ${this.#writing} ${keyOfSet(set)}`, () =>
      this.#grammar.add('loop', [[characterSymbol(this.#grammar, set, this.#writing)]]),
    );
  }

  /** Bounds on a single-state loop; while counting, undefined unless everything after it has the same length. */
  #loopCount({ state, read }: StatePosition): { min: number; max: number } | undefined {
    if (read === undefined) {
      // At the head of a loop, a transition to itself is a round like any other.
      const isHead = this.#loops?.isHead(state) ?? false;
      return this.#maxLoops === Infinity || isHead ? undefined : { min: 0, max: this.#maxLoops };
    }
    const rest = this.#lengthAfterLoop(state);
    if (rest === undefined) return undefined;
    const min = Math.max(0, this.#min - read - rest);
    const most = this.#max === Infinity ? Math.max(min, this.#maxLoops) : this.#max - read - rest;
    return { min, max: Math.min(most, MAX_REPETITION) };
  }

  #lengthAfterLoop(state: number): number | undefined {
    const lengths = new Set<number>(this.#dfa.accepting[state] ? [0] : []);
    for (const { target } of this.#dfa.transitions[state] ?? []) {
      if (target === state) continue;
      lengths.add(this.#shortest(target) + 1);
      lengths.add(this.#longest(target) + 1);
    }
    return lengths.size === 1 ? [...lengths][0] : undefined;
  }

  #shortest(state: number): number {
    return this.#bounds?.shortest[state] ?? 0;
  }

  #longest(state: number): number {
    return this.#bounds?.longest[state] ?? 0;
  }
}

/** Whether the position is neither counted nor inside a loop. */
function isFree({ read, paths }: StatePosition): boolean {
  return read === undefined && paths.length === 0;
}

function longerTail(tail: Tail | undefined, set: CharacterSet): Tail | undefined {
  if (!tail || tail.count >= MAX_REPETITION) return undefined;
  return tail.count === 0 || areSameSets(tail.set, set) ? { set, count: tail.count + 1 } : undefined;
}

function countEntries({ start, transitions }: Dfa): Int32Array {
  const entries = new Int32Array(transitions.length);
  const latest = new Int32Array(transitions.length).fill(-1);
  entries[start] = 1;
  transitions.forEach((steps, state) => {
    for (const { target } of steps) {
      if (latest[target] !== state) entries[target] = (entries[target] ?? 0) + 1;
      latest[target] = state;
    }
  });
  return entries;
}
