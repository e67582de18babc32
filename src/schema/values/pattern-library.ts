import type { Dfa } from '../automata/dfa.ts';
import { patternDfa } from '../automata/pattern-dfa.ts';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { UnicodeProperties } from '../automata/unicode-properties.ts';

/** How many patterns are kept; the one asked for least recently goes first. */
const MAX_PATTERNS = 200;

/** The automata of patterns, each made once. Kept by whoever compiles many schemas: the one of `email` takes longer than most schemas. */
export class PatternLibrary {
  readonly #properties = new UnicodeProperties();
  readonly #patterns = new Map<string, Dfa | PatternUnsupported>();

  /** The automaton of a pattern, or why there is none. */
  lookUp(pattern: string): Dfa | PatternUnsupported {
    const found = this.#patterns.get(pattern) ?? attempt(() => patternDfa(pattern, this.#properties));
    this.#patterns.delete(pattern);
    this.#patterns.set(pattern, found);
    const [oldest] = this.#patterns.keys();
    if (this.#patterns.size > MAX_PATTERNS && oldest !== undefined) this.#patterns.delete(oldest);
    return found;
  }
}

/** What the work gives, or the reason why automata cannot do it. */
export function attempt<Result>(work: () => Result): Result | PatternUnsupported {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatternUnsupported) return error;
    if (error instanceof SyntaxError) return new PatternUnsupported('it is not a regular expression');
    throw error;
  }
}
