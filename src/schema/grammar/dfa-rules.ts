import type { CharacterSet } from '../automata/character-set.ts';
import { charactersByTarget, type Dfa } from '../automata/dfa.ts';
import { type LengthBounds, lengthBounds } from '../automata/length-bounds.ts';
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

/** How the rules of an automaton are written. */
interface DfaRuleOptions {
  readonly writing: Writing;
  /** How often a state may lead back to itself where no length says so. */
  readonly maxLoops?: number;
  /** How many characters a text has at least and at most. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The rules of a trimmed automaton, for the texts of the asked length; returns the first. */
export function addDfaRules(grammar: GrammarBuilder, dfa: Dfa, options: DfaRuleOptions): RuleId {
  return new DfaRules(grammar, dfa, options).build();
}

/** A state, and how many characters were read, where that still matters. */
interface Place {
  readonly state: number;
  readonly read?: number | undefined;
}

/** The characters that lead from a state to another. */
interface Exit {
  readonly target: number;
  readonly set: CharacterSet;
  readonly symbol: GrammarSymbol;
}

type GoTo = (place: Place) => GrammarSymbol;

class DfaRules {
  readonly #grammar: GrammarBuilder;
  readonly #dfa: Dfa;
  readonly #writing: Writing;
  readonly #maxLoops: number;
  readonly #min: number;
  readonly #max: number;
  /** Known where lengths are asked for. */
  readonly #bounds: LengthBounds | undefined;
  readonly #exits = new Map<number, readonly Exit[]>();

  constructor(grammar: GrammarBuilder, dfa: Dfa, options: DfaRuleOptions) {
    this.#grammar = grammar;
    this.#dfa = dfa;
    this.#writing = options.writing;
    this.#maxLoops = options.maxLoops ?? Infinity;
    this.#min = options.minLength ?? 0;
    this.#max = options.maxLength ?? Infinity;
    if (this.#min > 0 || this.#max < Infinity) this.#bounds = lengthBounds(dfa);
  }

  build(): RuleId {
    if (this.#shortest(this.#dfa.start) > this.#max) return this.#grammar.add('text', []);
    const size = this.#dfa.transitions.length;
    const stateRules = this.#grammar.states<Place>(
      this.#writing === 'plain' ? 'digits' : 'text',
      ({ state, read }) => (read === undefined ? state : state + size * (read + 1)),
      (place, goTo) => this.#alternatives(place, (next) => goTo(this.#forget(next))),
    );
    return stateRules(this.#forget({ state: this.#dfa.start, read: 0 }));
  }

  /** Stops counting where whatever follows has the right length. */
  #forget({ state, read }: Place): Place {
    if (read === undefined) return { state };
    const isLongEnough = read + this.#shortest(state) >= this.#min;
    const isShortEnough = read + this.#longest(state) <= this.#max;
    return isLongEnough && isShortEnough ? { state } : { state, read };
  }

  #alternatives({ state, read }: Place, goTo: GoTo): readonly Alternative[] {
    const exits = this.#exitsOf(state);
    const loop = exits.find(({ target }) => target === state);
    const count = loop && this.#loopCount(state, read);
    if (!count) return this.#steps(exits, { state, read }, goTo);
    const looping = this.#grammar.share(`loop ${this.#writing} ${keyOfSet(loop.set)}`, () =>
      this.#grammar.add('loop', [[loop.symbol]]),
    );
    // What loops is never what leads on, so the repetition ends in one way only.
    const others = exits.filter((exit) => exit !== loop);
    const steps = this.#steps(others, { state }, goTo);
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

  #steps(exits: readonly Exit[], { state, read }: Place, goTo: GoTo): readonly Alternative[] {
    const alternatives: Alternative[] = [];
    for (const { target, symbol } of exits) {
      const next = { state: target, read: read === undefined ? undefined : read + 1 };
      if (next.read !== undefined && next.read + this.#shortest(target) > this.#max) continue;
      alternatives.push([symbol, goTo(next)]);
    }
    if (this.#dfa.accepting[state] && (read === undefined || read >= this.#min)) alternatives.push([]);
    return alternatives;
  }

  /** How often a loop of one state may be taken; while counting that is known if what follows has one length. */
  #loopCount(state: number, read: number | undefined): { min: number; max: number } | undefined {
    if (read === undefined) {
      return this.#maxLoops === Infinity ? undefined : { min: 0, max: this.#maxLoops };
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
