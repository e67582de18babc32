import { fieldWords, labelTokens } from '../grounded/label-words.ts';
import type { SchemaPlan } from '../grounded/schema-plan.ts';
import { pointerOf } from '../json-pointer.ts';
import { FUNCTION_WORDS } from './hint-words.ts';

/** A part of a schema by its pointer, and the words of its own name after those of what it is part of. */
interface Part {
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly groupSize: number;
}

/** A word of the name of a part, each by its order. */
type SaidWord = readonly [part: number, token: number];

/** The words of a text, by their order, that say the words of a part's name. */
type Hits = Map<number, number[]>;

/** Whoever says so much at once does not say where something is. */
const MAX_WORDS = 40;
/** A word that is in the names of so many parts tells none of them. */
const MAX_PARTS_OF_WORD = 50;

/** The parts of a schema, to be found by their names in what somebody says. */
export class PartNames {
  readonly #parts: readonly Part[];
  /** Which word of which parts a word says. */
  readonly #index = new Map<string, SaidWord[]>();
  /** What each word says: few words differ in a long text. */
  readonly #said = new Map<string, readonly SaidWord[]>();

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
    return this.#saidBy(word).length > 0;
  }

  /** The pointers of the parts that words name: by their whole name, or by half of it where no other part may be meant. */
  namedBy(words: readonly string[]): ReadonlySet<string> {
    const said = Array.from(new Set(words));
    if (said.length > MAX_WORDS) return new Set();
    const hits = this.#hits(said);
    const named = widest(Array.from(hits).flatMap(([part, found]) => this.#namedWhole(part, found)));
    const covered = new Set(named.flatMap(({ positions }) => positions));
    const half = Array.from(hits.keys()).filter((part) => this.#isNamedHalf(part, hits.get(part), covered));
    const parts = [...named.map(({ part }) => part), ...(half.length === 1 ? half : [])];
    return new Set(parts.map((part) => this.#parts[part]?.pointer ?? ''));
  }

  #saidBy(word: string): readonly SaidWord[] {
    const known = this.#said.get(word) ?? this.#lookUp(word);
    this.#said.set(word, known);
    return known;
  }

  #lookUp(word: string): readonly SaidWord[] {
    return meaningsOf(word).flatMap((meaning) => {
      const said = this.#index.get(meaning) ?? [];
      return said.length > MAX_PARTS_OF_WORD ? [] : said;
    });
  }

  #hits(words: readonly string[]): ReadonlyMap<number, Hits> {
    const hits = new Map<number, Hits>();
    words.forEach((word, position) => {
      for (const [part, token] of this.#saidBy(word)) {
        const found: Hits = hits.get(part) ?? new Map();
        found.set(token, [...(found.get(token) ?? []), position]);
        hits.set(part, found);
      }
    });
    return hits;
  }

  #namedWhole(part: number, found: Hits): readonly NamedPart[] {
    const { own, wanted } = this.#ownTokens(part, found);
    if (wanted === 0 || own.length < wanted) return [];
    // In order, so that the same words are the same list.
    const positions = Array.from(new Set(Array.from(found.values()).flat())).sort(
      (one, other) => one - other,
    );
    return [{ part, positions }];
  }

  #isNamedHalf(part: number, found: Hits = new Map(), covered: ReadonlySet<number>): boolean {
    const { own, wanted } = this.#ownTokens(part, found);
    if (own.length === wanted || 2 * own.length < wanted) return false;
    return own.some((token) => (found.get(token) ?? []).some((position) => !covered.has(position)));
  }

  /** Which words of a part's own name were said, and how many it has. */
  #ownTokens(part: number, found: Hits): { readonly own: readonly number[]; readonly wanted: number } {
    const { tokens, groupSize } = this.#parts[part] ?? { tokens: [], groupSize: 0 };
    const own = Array.from(found.keys()).filter((token) => token >= groupSize);
    return { own, wanted: tokens.length - groupSize };
  }
}

interface NamedPart {
  readonly part: number;
  /** The words that name it, by their order. */
  readonly positions: readonly number[];
}

/** Those parts that no other part is named by more words than: of `customer` and `customer name`, the second. */
function widest(named: readonly NamedPart[]): readonly NamedPart[] {
  const wordings = new Map(named.map(({ positions }) => [positions.join(), new Set(positions)]));
  const isWithin = (positions: readonly number[], other: ReadonlySet<number>) =>
    positions.length < other.size && positions.every((position) => other.has(position));
  const isWidest = new Map(
    Array.from(wordings, ([key, own]) => [
      key,
      !Array.from(wordings.values()).some((other) => isWithin(Array.from(own), other)),
    ]),
  );
  return named.filter(({ positions }) => isWidest.get(positions.join()));
}

function meaningsOf(word: string): readonly string[] {
  return FUNCTION_WORDS.has(word) ? [] : labelTokens(word).flatMap((token) => token.split('|'));
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
