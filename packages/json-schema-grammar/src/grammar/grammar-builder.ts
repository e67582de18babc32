import type { CharacterSet } from '../automata/character-set.ts';
import { type Deadline, MAX_RULES } from '../terms/budgets.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

/** A rule, by the order in which it was reserved. */
export type RuleId = number;

/** What an alternative is made of. */
export type GrammarSymbol =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'characters'; readonly set: CharacterSet }
  | { readonly type: 'rule'; readonly id: RuleId; readonly min: number; readonly max: number };

/** Symbols one after the other. */
export type Alternative = readonly GrammarSymbol[];

/** One of the alternatives is taken. */
export interface Rule {
  readonly name: string;
  readonly alternatives: readonly Alternative[];
  /** The place in the schema that the rule stands for. */
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

/** A rule whose alternatives may come later. */
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

  /** How many rules may still be added. */
  get room(): number {
    return MAX_RULES - this.#rules.length;
  }

  /** Takes a place before the rule is known, so that rules can refer to themselves. */
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

  /** The rule made before under the same key, or a new one. */
  share(key: string, build: () => RuleId): RuleId {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const built = build();
    this.#shared.set(key, built);
    return built;
  }

  /** The symbol made before under the same key, or a new one. */
  shareSymbol(key: string, build: () => GrammarSymbol): GrammarSymbol {
    const known = this.#symbols.get(key);
    if (known) return known;
    const built = build();
    this.#symbols.set(key, built);
    return built;
  }

  /** Builds the rules of states that lead to each other, each state once. */
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

/** The alternatives of a state; `goTo` names the rule of another. */
export type StateBuilder<State> = (
  state: State,
  goTo: (state: State) => GrammarSymbol,
) => readonly Alternative[];
