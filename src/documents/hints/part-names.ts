import type { SchemaPlan } from '../grounded/plan/schema-plan.ts';
import { fieldWords, labelTokens } from '../grounded/words/label-words.ts';
import { pointerOf } from '../json-pointer.ts';
import { FUNCTION_WORDS } from './hint-words.ts';

/** A part of a schema: its pointer, and the words of its parents' and its own name. */
interface Part {
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly groupSize: number;
}

/** A word of a part's name, as indexes. */
type SaidWord = readonly [part: number, token: number];

/** For each part: indexes of the text's words that match its name. */
type Hits = Map<number, number[]>;

/** Longer pieces are not hints. */
const MAX_WORDS = 40;
/** A word in this many names is not specific. */
const MAX_PARTS_OF_WORD = 50;

/** Finds parts of a schema by their names in a text. */
export class PartNames {
  readonly #parts: readonly Part[];
  /** The parts and name words that match a word. */
  readonly #index = new Map<string, SaidWord[]>();
  /** Cache: a long text has few distinct words. */
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

  /** The parts named by words: by their full name, or by half of it if unambiguous. */
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
    // Sorted, so that equal sets compare equal.
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

  /** The words of a part's own name that were matched, and how many it has. */
  #ownTokens(part: number, found: Hits): { readonly own: readonly number[]; readonly wanted: number } {
    const { tokens, groupSize } = this.#parts[part] ?? { tokens: [], groupSize: 0 };
    const own = Array.from(found.keys()).filter((token) => token >= groupSize);
    return { own, wanted: tokens.length - groupSize };
  }
}

interface NamedPart {
  readonly part: number;
  /** Indexes of the words that name it. */
  readonly positions: readonly number[];
}

/** Prefers longer names: of `customer` and `customer name`, the second. */
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

/** All objects, lists and values of a plan. List items have no names of their own, since a list comes from one file. */
function partsOf(plan: SchemaPlan, path: readonly string[], group: readonly string[]): readonly Part[] {
  const own = fieldWords(path.at(-1) ?? '', '').tokens;
  const part = { pointer: pointerOf(path), tokens: [...group, ...own], groupSize: group.length };
  const inside =
    plan.type === 'object'
      ? plan.properties.flatMap((property) => partsOf(property.plan, [...path, property.name], own))
      : [];
  return path.length === 0 ? inside : [part, ...inside];
}
