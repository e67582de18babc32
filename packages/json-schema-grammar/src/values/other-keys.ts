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
 * The keys that are none of an object's names. As far as a key begins like a name, it ends early or goes on differently,
 * and then as it likes. Written from the names as they are: as the complement of an automaton they would take far longer,
 * and the objects of a schema, which often have names in common, would not share the rules.
 */
export class OtherKeys {
  readonly #grammar: GrammarBuilder;
  readonly #names = new LiteralAutomaton();
  /** A key once it differs from every name. */
  readonly #anything: () => GrammarSymbol;
  readonly #ruleOf: (state: number) => RuleId;

  /** After it has become another, a key has so many characters at most. */
  constructor(grammar: GrammarBuilder, maxLength: number) {
    this.#grammar = grammar;
    // One rule for all: llama.cpp unfolds every repetition that is written.
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

  /** The rule of the keys that are none of these names. */
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

  /** A character with which none of the names goes on. */
  #otherCharacter(steps: readonly Transition[]): GrammarSymbol {
    let key = 'other';
    for (const { low } of steps) key += ` ${low}`;
    return this.#grammar.shareSymbol(key, () =>
      characterSymbol(this.#grammar, complementSet(steps), 'in-string'),
    );
  }
}
