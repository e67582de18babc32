import { ANY_TEXT, type Dfa, EMPTY_LANGUAGE, isEmptyLanguage, lengthDfa } from '../automata/dfa.ts';
import { complement, intersect } from '../automata/dfa-algebra.ts';
import { literalDfa } from '../automata/literal-dfa.ts';
import { attempt, PatternUnsupported } from '../automata/pattern-unsupported.ts';
import type { Leaf } from '../normalise/leaves.ts';
import type { Facts } from '../normalise/schema-node.ts';
import type { Deadline } from '../terms/budgets.ts';
import type { Remarks } from '../terms/remarks.ts';
import { FORMAT_PATTERNS, FREE_FORMATS } from './formats.ts';
import type { PatternLibrary } from './pattern-library.ts';

/** The strings that facts allow: their shape, absent if any, and their length. */
export interface StringLanguage {
  readonly shape?: Dfa;
  readonly minLength: number;
  readonly maxLength: number;
}

/** Turns facts about strings into languages. */
export class StringLanguages {
  readonly #remarks: Remarks;
  readonly #library: PatternLibrary;
  readonly #deadline: Deadline;

  constructor(remarks: Remarks, library: PatternLibrary, deadline: Deadline) {
    this.#remarks = remarks;
    this.#library = library;
    this.#deadline = deadline;
  }

  of(leaf: Leaf): StringLanguage {
    const shapes = leaf.flatMap((facts) => this.#shapesOf(facts));
    const shape = this.#combine(shapes, leaf[0]?.path ?? '');
    return {
      ...(shape && { shape }),
      minLength: Math.max(0, ...leaf.map(({ string }) => string?.minLength ?? 0)),
      maxLength: Math.min(...leaf.map(({ string }) => string?.maxLength ?? Infinity)),
    };
  }

  /** The language as one automaton, including lengths. */
  dfaOf(leaf: Leaf): Dfa {
    const { shape = ANY_TEXT, minLength, maxLength } = this.of(leaf);
    if (minLength > maxLength) return EMPTY_LANGUAGE;
    return minLength === 0 && maxLength === Infinity
      ? shape
      : intersect(shape, lengthDfa(minLength, maxLength));
  }

  /** The automaton of a pattern, or why there is none. */
  pattern(pattern: string, path = ''): Dfa | PatternUnsupported {
    this.#deadline.checkNow();
    return this.#library.lookUp(pattern, path);
  }

  /** Whether a pattern is found in a text. */
  matches(pattern: string, text: string): boolean {
    this.#deadline.checkNow();
    return this.#library.matches(pattern, text);
  }

  /** Whether the text has the format; true for unknown formats. */
  hasFormat(format: string, text: string): boolean {
    const pattern = FORMAT_PATTERNS.get(format);
    return pattern === undefined || this.matches(pattern, text);
  }

  #shapesOf({ path, string, excludedValues }: Facts): readonly Dfa[] {
    const shapes: Dfa[] = [];
    if (string?.pattern !== undefined) {
      shapes.push(...this.#enforced(string.pattern, { path, keyword: 'pattern' }));
    }
    if (string?.excludedPattern !== undefined) {
      shapes.push(...this.#enforced(string.excludedPattern, { path, keyword: 'not' }).map(complement));
    }
    if (string?.format !== undefined) shapes.push(...this.#format(string.format, path));
    const texts = excludedValues?.filter((value) => typeof value === 'string') ?? [];
    if (texts.length > 0) shapes.push(complement(literalDfa(texts)));
    return shapes;
  }

  #enforced(pattern: string, { path, keyword }: { path: string; keyword: string }): readonly Dfa[] {
    const dfa = this.pattern(pattern, path);
    if (!(dfa instanceof PatternUnsupported)) return [dfa];
    this.#remarks.leave({ path, keyword, message: `${pattern}: ${dfa.message}.` });
    return [];
  }

  #format(format: string, path: string): readonly Dfa[] {
    const pattern = FORMAT_PATTERNS.get(format);
    if (pattern !== undefined) return this.#enforced(pattern, { path, keyword: 'format' });
    if (!FREE_FORMATS.has(format)) {
      this.#remarks.leave({ path, keyword: 'format', message: `The format ${format} is not enforced.` });
    }
    return [];
  }

  #combine(shapes: readonly Dfa[], path: string): Dfa | undefined {
    let combined: Dfa | undefined;
    for (const shape of shapes) {
      this.#deadline.checkNow();
      const both = combined ? attempt(() => intersect(combined ?? ANY_TEXT, shape)) : shape;
      if (both instanceof PatternUnsupported) {
        this.#remarks.leave({
          path,
          keyword: 'pattern',
          message: `${both.message}; only the first is enforced.`,
        });
      } else combined = both;
    }
    return combined;
  }
}

/** Whether the language has no strings. */
export function isEmpty({ shape, minLength, maxLength }: StringLanguage): boolean {
  return minLength > maxLength || (shape !== undefined && isEmptyLanguage(shape));
}
