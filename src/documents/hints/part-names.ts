import { pointerOf } from '../grounded/assemble.ts';
import { fieldWords, labelTokens } from '../grounded/label-words.ts';
import type { SchemaPlan } from '../grounded/schema-plan.ts';
import { FUNCTION_WORDS } from './hint-words.ts';

/** A part of a schema by its pointer, and the words of its own name after those of what it is part of. */
interface Part {
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly groupSize: number;
}

/** The words of a text, by their order, that say the words of a part's name. */
type Hits = Map<number, number[]>;

/** The parts of a schema, to be found by their names in what somebody says. */
export class PartNames {
  readonly #parts: readonly Part[];
  /** Which word of which parts a word says. */
  readonly #index = new Map<string, (readonly [part: number, token: number])[]>();

  constructor(plan: SchemaPlan) {
    this.#parts = partsOf(plan, [], []);
    this.#parts.forEach(({ tokens }, part) => {
      tokens.forEach((token, order) => {
        for (const meaning of token.split('|')) {
          const known = this.#index.get(meaning) ?? [];
          known.push([part, order]);
          this.#index.set(meaning, known);
        }
      });
    });
  }

  /** Whether a word may be part of a name. */
  knows(word: string): boolean {
    return meaningsOf(word).some((meaning) => this.#index.has(meaning));
  }

  /** The pointers of the parts that words name: by their whole name, or by half of it where no other part may be meant. */
  namedBy(words: readonly string[]): ReadonlySet<string> {
    const hits = this.#hits(words);
    const whole = Array.from(hits, ([part, found]) => this.#namedWhole(part, found)).filter(
      (named) => named !== undefined,
    );
    const named = whole.filter(
      ({ positions }) => !whole.some((other) => isWithin(positions, other.positions)),
    );
    const covered = new Set(named.flatMap(({ positions }) => Array.from(positions)));
    const half = Array.from(hits).flatMap(([part, found]) =>
      this.#isNamedHalf(part, found, covered) ? [part] : [],
    );
    const [only] = half.length === 1 ? half : [];
    return new Set(
      [...named.map(({ part }) => part), ...(only === undefined ? [] : [only])].map((part) =>
        this.#pointer(part),
      ),
    );
  }

  #hits(words: readonly string[]): ReadonlyMap<number, Hits> {
    const hits = new Map<number, Hits>();
    words.forEach((word, position) => {
      for (const [part, token] of new Set(
        meaningsOf(word).flatMap((meaning) => this.#index.get(meaning) ?? []),
      )) {
        const found: Hits = hits.get(part) ?? new Map();
        found.set(token, [...(found.get(token) ?? []), position]);
        hits.set(part, found);
      }
    });
    return hits;
  }

  #namedWhole(
    part: number,
    found: Hits,
  ): { readonly part: number; readonly positions: ReadonlySet<number> } | undefined {
    const { own, wanted } = this.#ownTokens(part, found);
    if (wanted === 0 || own.length < wanted) return undefined;
    return { part, positions: new Set(Array.from(found.values()).flat()) };
  }

  #isNamedHalf(part: number, found: Hits, covered: ReadonlySet<number>): boolean {
    const { own, wanted } = this.#ownTokens(part, found);
    if (own.length === wanted || 2 * own.length < wanted) return false;
    return own.some((token) => (found.get(token) ?? []).some((position) => !covered.has(position)));
  }

  /** Which words of a part's own name were said, and how many it has. */
  #ownTokens(part: number, found: Hits): { readonly own: readonly number[]; readonly wanted: number } {
    const { tokens, groupSize } = this.#parts[part] ?? { tokens: [], groupSize: 0 };
    return {
      own: Array.from(found.keys()).filter((token) => token >= groupSize),
      wanted: tokens.length - groupSize,
    };
  }

  #pointer(part: number): string {
    return this.#parts[part]?.pointer ?? '';
  }
}

function meaningsOf(word: string): readonly string[] {
  return FUNCTION_WORDS.has(word) ? [] : labelTokens(word).flatMap((token) => token.split('|'));
}

/** Whether all of one, and not only these, are in the other. */
function isWithin(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size < other.size && Array.from(one).every((position) => other.has(position));
}

/** Every object, list and value of a plan; what is in a list has no name of its own, since a list is of one file. */
function partsOf(plan: SchemaPlan, path: readonly string[], group: readonly string[]): readonly Part[] {
  const own = fieldWords(path.at(-1) ?? '', '').tokens;
  const part = { pointer: pointerOf(path), tokens: [...group, ...own], groupSize: group.length };
  const inside =
    plan.type === 'object'
      ? plan.properties.flatMap((property) => partsOf(property.plan, [...path, property.name], own))
      : [];
  return path.length === 0 ? inside : [part, ...inside];
}
