import type { Dfa } from '../automata/dfa.ts';
import { patternDfa } from '../automata/pattern-dfa.ts';
import { attempt, type PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { UnicodeProperties } from '../automata/unicode-properties.ts';
import { type NumberConditions, type NumberLanguage, numberLanguage } from '../numbers/number-language.ts';

/** How many patterns and ranges of numbers are kept; the one asked for least recently goes first. */
const MAX_KEPT = 200;

/** Automata, each made once. Kept by whoever compiles many schemas: the one of `email` takes longer than most schemas. */
export class PatternLibrary {
  readonly #properties = new UnicodeProperties();
  readonly #patterns = new Map<string, Dfa | PatternUnsupported>();
  readonly #numbers = new Map<string, NumberLanguage>();

  /** The automaton of a pattern, or why there is none. */
  lookUp(pattern: string): Dfa | PatternUnsupported {
    return remember(this.#patterns, pattern, () => attempt(() => patternDfa(pattern, this.#properties)));
  }

  /** The automaton of some numbers. */
  numbers(conditions: NumberConditions): NumberLanguage {
    return remember(this.#numbers, JSON.stringify(conditions), () => numberLanguage(conditions));
  }
}

function remember<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return value;
}
