import { ANY_CHARACTER, complementSet, singleCharacter } from '../automata/character-set.ts';
import type { Transition } from '../automata/dfa.ts';
import { LiteralAutomaton } from '../automata/literal-dfa.ts';
import { characterSymbol } from '../grammar/character-symbol.ts';
import {
  type Alternative,
  type GrammarBuilder,
  type GrammarSymbol,
  type RuleId,
  repeated,
  rule,
  text,
} from '../grammar/grammar-builder.ts';

/**
 * Rules for keys other than an object's names: a key that shares a prefix with a name ends early or differs in a later character.
 * Built directly from the names: a complement automaton would take far longer, and objects with common names would not share rules.
 */
export class OtherKeys {
  readonly #grammar: GrammarBuilder;
  readonly #names = new LiteralAutomaton();
  /** The rest of a key that differs from every name. */
  readonly #anything: () => GrammarSymbol;
  readonly #ruleOf: (state: number) => RuleId;

  /** `maxLength` bounds the characters after the first difference. */
  constructor(grammar: GrammarBuilder, maxLength: number) {
    this.#grammar = grammar;
    // One shared rule, since llama.cpp expands every repetition in the grammar.
    this.#anything = () =>
      rule(
        grammar.share('anything', () => {
          const character = characterSymbol(grammar, ANY_CHARACTER, 'in-string');
          return grammar.add('rest', [[repeated(grammar.add('loop', [[character]]), 0, maxLength)]]);
        }),
      );
    this.#ruleOf = grammar.states<number>(
      'text',
      (state) => state,
      (state, goTo) => this.#alternatives(state, goTo),
    );
  }

  /** The rule of all keys except these names. */
  ruleFor(names: readonly string[]): RuleId {
    const first = this.#ruleOf(this.#names.add(names));
    return this.#grammar.share(`key ${first}`, () =>
      this.#grammar.add('key', [[text('"'), rule(first), text('"')]]),
    );
  }

  #alternatives(state: number, goTo: (state: number) => GrammarSymbol): readonly Alternative[] {
    const steps = this.#names.transitions[state] ?? [];
    const alternatives: Alternative[] = [[this.#otherCharacter(steps), this.#anything()]];
    for (const { low, target } of steps) {
      alternatives.push([characterSymbol(this.#grammar, singleCharacter(low), 'in-string'), goTo(target)]);
    }
    if (!this.#names.accepting[state]) alternatives.push([]);
    return alternatives;
  }

  /** Any character with which no name continues. */
  #otherCharacter(steps: readonly Transition[]): GrammarSymbol {
    let key = 'other';
    for (const { low } of steps) key += ` ${low}`;
    return this.#grammar.shareSymbol(key, () =>
      characterSymbol(this.#grammar, complementSet(steps), 'in-string'),
    );
  }
}
