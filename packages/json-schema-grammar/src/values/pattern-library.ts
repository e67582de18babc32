import { type Dfa, testDfa } from '../automata/dfa.ts';
import { patternDfa } from '../automata/pattern-dfa.ts';
import { PatternMatcher } from '../automata/pattern-matcher.ts';
import { attempt, PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { UnicodeProperties } from '../automata/unicode-properties.ts';
import { type NumberConditions, type NumberLanguage, numberLanguage } from '../numbers/number-language.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

/** Most patterns and most number languages kept; the least recently used is dropped. */
const MAX_KEPT = 200;
/** Most matchers kept: one may take 10 MB, and many values use the same one. */
const MAX_KEPT_MATCHERS = 4;

/** A cache of automata. Share one between compilations: the automaton of `email` alone takes longer than most schemas. */
export class PatternLibrary {
  readonly #properties = new UnicodeProperties();
  readonly #patterns = new Map<string, Dfa | PatternUnsupported>();
  readonly #matchers = new Map<string, PatternMatcher | PatternUnsupported>();
  readonly #numbers = new Map<string, NumberLanguage>();

  /** The automaton of a pattern, or why there is none; throws SchemaRefused if the pattern cannot be validated either. */
  lookUp(pattern: string, path = ''): Dfa | PatternUnsupported {
    const make = () => attempt(() => patternDfa(pattern, this.#properties));
    const found = remember(this.#patterns, pattern, make);
    // A pattern that the grammar cannot enforce is left to validation, which must support it.
    if (found instanceof PatternUnsupported) this.matcher(pattern, path);
    return found;
  }

  /** A linear-time matcher; throws SchemaRefused if the pattern has none. */
  matcher(pattern: string, path = ''): PatternMatcher {
    const make = () => attempt(() => new PatternMatcher(pattern, this.#properties));
    const found = remember(this.#matchers, pattern, make, MAX_KEPT_MATCHERS);
    if (found instanceof PatternUnsupported) throw refused(pattern, found, path);
    return found;
  }

  /** Whether a pattern is found in a text. */
  matches(pattern: string, text: string): boolean {
    const dfa = this.lookUp(pattern);
    return dfa instanceof PatternUnsupported ? this.matcher(pattern).test(text) : testDfa(dfa, text);
  }

  /** The automaton of the numbers that meet the conditions. */
  numbers(conditions: NumberConditions): NumberLanguage {
    return remember(this.#numbers, JSON.stringify(conditions), () => numberLanguage(conditions));
  }
}

function remember<Value>(kept: Map<string, Value>, key: string, make: () => Value, most = MAX_KEPT): Value {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return value;
}

const SHOWN_CHARACTERS = 80;

function refused(pattern: string, { message }: PatternUnsupported, path: string): SchemaRefused {
  const shown = pattern.length <= SHOWN_CHARACTERS ? pattern : `${pattern.slice(0, SHOWN_CHARACTERS)}…`;
  return new SchemaRefused(
    'too-complex',
    path,
    `The pattern ${shown} is not matched: ${message}. Write it another way.`,
  );
}
