import type { CharacterSet } from '../automata/character-set.ts';
import { type Deadline, MAX_RULES } from '../terms/budgets.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

/** The index of a rule, in order of reservation. */
export type RuleId = number;

/** An element of an alternative. */
export type GrammarSymbol =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'characters'; readonly set: CharacterSet }
  | { readonly type: 'rule'; readonly id: RuleId; readonly min: number; readonly max: number };

/** A sequence of symbols. */
export type Alternative = readonly GrammarSymbol[];

/** A grammar rule; generates the texts of any of its alternatives. */
export interface Rule {
  readonly name: string;
  readonly alternatives: readonly Alternative[];
  /** The path of the schema that the rule represents. */
  readonly path?: string | undefined;
}

export function text(characters: string): GrammarSymbol {
  return { type: 'text', text: characters };
}

export function characters(set: CharacterSet): GrammarSymbol {
  return { type: 'characters', set };
}

export function rule(id: RuleId): GrammarSymbol {
  return { type: 'rule', id, min: 1, max: 1 };
}

export function repeated(id: RuleId, min: number, max: number): GrammarSymbol {
  return { type: 'rule', id, min, max };
}

/** A rule whose alternatives may be defined later. */
type OpenRule = Omit<Rule, 'alternatives'> & { alternatives: readonly Alternative[] };

/** Collects the rules of a grammar. */
export class GrammarBuilder {
  readonly #rules: OpenRule[] = [];
  readonly #deadline: Deadline;
  readonly #shared = new Map<string, RuleId>();
  readonly #symbols = new Map<string, GrammarSymbol>();

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  get rules(): readonly Rule[] {
    return this.#rules;
  }

  /** The number of rules that may still be added. */
  get room(): number {
    return MAX_RULES - this.#rules.length;
  }

  /** Reserves an id before the rule is defined, so that rules can be recursive. */
  reserve(prefix: string, path?: string): RuleId {
    this.#deadline.check();
    if (this.#rules.length >= MAX_RULES) {
      throw new SchemaRefused(
        'too-complex',
        path ?? '',
        `The grammar would have more than ${MAX_RULES} rules.`,
      );
    }
    const name = `${prefix}-${this.#rules.length.toString(36)}`;
    return this.#rules.push({ name, alternatives: [], path }) - 1;
  }

  define(id: RuleId, alternatives: readonly Alternative[]): RuleId {
    const reserved = this.#rules[id];
    if (reserved) reserved.alternatives = alternatives;
    return id;
  }

  add(prefix: string, alternatives: readonly Alternative[]): RuleId {
    return this.define(this.reserve(prefix), alternatives);
  }

  /** The rule built earlier for this key, or a new one. */
  share(key: string, build: () => RuleId): RuleId {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const built = build();
    this.#shared.set(key, built);
    return built;
  }

  /** The symbol built earlier for this key, or a new one. */
  shareSymbol(key: string, build: () => GrammarSymbol): GrammarSymbol {
    const known = this.#symbols.get(key);
    if (known) return known;
    const built = build();
    this.#symbols.set(key, built);
    return built;
  }

  /** Builds a rule for each reachable state, once each. */
  states<State>(
    prefix: string,
    keyOf: (state: State) => string | number,
    build: StateBuilder<State>,
  ): (start: State) => RuleId {
    const ids = new Map<string | number, RuleId>();
    const waiting: { readonly id: RuleId; readonly state: State }[] = [];
    const idOf = (state: State): RuleId => {
      const key = keyOf(state);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = this.reserve(prefix);
      ids.set(key, id);
      waiting.push({ id, state });
      return id;
    };
    return (start) => {
      const first = idOf(start);
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        this.define(
          next.id,
          build(next.state, (state) => rule(idOf(state))),
        );
      }
      return first;
    };
  }
}

/** Builds the alternatives of a state; `goTo` refers to the rule of another state. */
export type StateBuilder<State> = (
  state: State,
  goTo: (state: State) => GrammarSymbol,
) => readonly Alternative[];
