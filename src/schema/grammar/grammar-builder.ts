import type { CharacterSet } from '../automata/character-set.ts';
import { type Deadline, MAX_RULES } from '../terms/budgets.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

/** What an alternative is made of. */
export type GrammarSymbol =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'characters'; readonly set: CharacterSet }
  | { readonly type: 'rule'; readonly name: string; readonly min: number; readonly max: number };

/** Symbols one after the other. */
export type Alternative = readonly GrammarSymbol[];

/** One of the alternatives is taken. */
export interface Rule {
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

export function rule(name: string): GrammarSymbol {
  return { type: 'rule', name, min: 1, max: 1 };
}

export function repeated(name: string, min: number, max: number): GrammarSymbol {
  return { type: 'rule', name, min, max };
}

/** Collects the rules of a grammar. */
export class GrammarBuilder {
  readonly rules = new Map<string, Rule>();
  readonly #deadline: Deadline;
  readonly #shared = new Map<string, string>();

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Takes a name before the rule is known, so that rules can refer to themselves. */
  reserve(prefix: string, path?: string): string {
    this.#deadline.check();
    if (this.rules.size >= MAX_RULES) {
      throw new SchemaRefused(
        'too-complex',
        path ?? '',
        `The grammar would have more than ${MAX_RULES} rules.`,
      );
    }
    const name = `${prefix}-${this.rules.size.toString(36)}`;
    this.rules.set(name, { alternatives: [], path });
    return name;
  }

  define(name: string, alternatives: readonly Alternative[]): string {
    this.rules.set(name, { ...this.rules.get(name), alternatives });
    return name;
  }

  add(prefix: string, alternatives: readonly Alternative[]): string {
    return this.define(this.reserve(prefix), alternatives);
  }

  /** The rule made before under the same key, or a new one. */
  share(key: string, build: () => string): string {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const name = build();
    this.#shared.set(key, name);
    return name;
  }

  /** Builds the rules of states that lead to each other, each state once. */
  states<State>(
    prefix: string,
    keyOf: (state: State) => string | number,
    build: StateBuilder<State>,
  ): (start: State) => string {
    const names = new Map<string | number, string>();
    const waiting: { readonly name: string; readonly state: State }[] = [];
    const nameOf = (state: State): string => {
      const key = keyOf(state);
      const known = names.get(key);
      if (known !== undefined) return known;
      const name = this.reserve(prefix);
      names.set(key, name);
      waiting.push({ name, state });
      return name;
    };
    return (start) => {
      const first = nameOf(start);
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        this.define(
          next.name,
          build(next.state, (state) => rule(nameOf(state))),
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
