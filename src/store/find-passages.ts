import { z } from 'zod';
import { type AskedWord, askedWords, WordScorer } from '../knowledge/search/asked-words.ts';
import { ASSUMED_CHUNKS, rarityOf } from '../knowledge/search/bm25-index.ts';
import type { Fit, FitBounds } from '../knowledge/search/fuse-scores.ts';
import { ASSUMED_COSINE } from '../knowledge/search/stack-index.ts';
import {
  type AskedSpace,
  allNear,
  allOf,
  anyOf,
  type CountedRow,
  heaviestWith,
  type NearRow,
  nearAt,
  nearest,
  nearSample,
  type PassageKey,
  passageCounts,
  passagesAt,
  passagesWith,
} from './passage-queries.ts';
import { type Connection, execute, queryRows } from './query.ts';
import { WORDS } from './search-filler.ts';
import type { AskedStack } from './search-stack.ts';
import { sql, wholeLiteral } from './sql.ts';

/** A passage that may be an answer. */
export type ScoredPassage = PassageKey & Fit;

/** Passages that may be answers, and what their scores are compared with. */
interface FoundPassages {
  readonly passages: readonly ScoredPassage[];
  readonly bounds: FitBounds;
}

interface Asked {
  readonly stack: AskedStack;
  readonly question: string;
  readonly vector: Float32Array | undefined;
}

/** Vectors that the index of a large space is asked for; a passage has several. */
const NEAREST = 200;
/** Passages of a large space that are compared in full, of those found by words. */
const BEST_BY_WORDS = 300;
/** Passages of a large space whose words are counted, of those that are read: the heaviest ones. */
const MOST_COUNTED = 500;
/** So many passages are enough of those that have frequent words only. */
const ENOUGH_BY_WORDS = 50;
/** Rows of a large space that are read for the words of a question. */
const MOST_ROWS = 20_000;
/** Words by which a passage of a large space is weighed before its words are counted: the weightiest ones of a long question. */
const MOST_WEIGHED = 60;
/** Of many words a long question leaves out a quarter at a time, of a few one. */
const KEPT_WORDS = 0.75;

const termRow = z.object({ term: z.string(), passages: z.number() });

export function keyOf({ document, ordinal }: PassageKey): string {
  return `${document}/${ordinal}`;
}

/** Scores the passages of a stack: all of them, or in a large one those that its indexes find. */
export async function findPassages(connection: Connection, asked: Asked): Promise<FoundPassages> {
  const { stack, vector } = asked;
  const words = stack.spaces.find(({ model }) => model === WORDS);
  const vectors = stack.spaces.find(({ model }) => model !== WORDS);
  const isComparable = vector !== undefined && vectors?.dimensions === vector.length;
  const byWords = words && new WordSearch(connection, { ...words, hidden: stack.hidden }, asked);
  const asking =
    isComparable && vectors
      ? { space: { number: vectors.number, hidden: stack.hiddenVectors }, isLarge: vectors.isLarge, vector }
      : undefined;
  const counted = (await byWords?.find()) ?? [];
  const near = asking ? await findNear(connection, asking) : [];
  // Without any vector, words alone decide.
  const byMeaning = near.length > 0 ? asking : undefined;
  const scored = byWords?.scores(counted) ?? { scores: new Map<string, number>(), most: 0 };
  const best = words?.isLarge ? bestOf(counted, scored.scores) : counted;
  const cosines = closest(near);
  if (byMeaning?.isLarge) {
    const missing = best.filter((row) => !cosines.has(keyOf(row)));
    for (const row of await nearAt(connection, byMeaning.space, { vector: byMeaning.vector, keys: missing }))
      cosines.set(keyOf(row), Math.max(0, row.cosine));
  }
  if (words?.isLarge && byWords) {
    const missing = near.filter((row) => !scored.scores.has(keyOf(row)));
    byWords.addScores(await byWords.at(missing), scored.scores);
  }
  const keys = new Map([...best, ...near].map((row) => [keyOf(row), row]));
  return {
    passages: [...keys].map(([key, { document, ordinal }]) => ({
      document,
      ordinal,
      words: scored.scores.get(key) ?? 0,
      meaning: byMeaning && (cosines.get(key) ?? 0),
    })),
    bounds: {
      bestWords: [...scored.scores.values()].reduce((most, score) => Math.max(most, score), 0),
      mostWords: scored.most,
      meanMeaning: await meanOf(connection, { stack, cosines, byMeaning }),
    },
  };
}

interface ByMeaning {
  readonly space: AskedSpace;
  readonly isLarge: boolean;
  readonly vector: Float32Array;
}

async function findNear(
  connection: Connection,
  { space, isLarge, vector }: ByMeaning,
): Promise<readonly NearRow[]> {
  if (!isLarge) return allNear(connection, space, vector);
  // The index gives vectors in their order; sorting them would take all of the space.
  await execute(connection, sql`set local enable_sort = off`);
  const found = await nearest(connection, space, { vector, limit: NEAREST });
  await execute(connection, sql`set local enable_sort = on`);
  return found;
}

function closest(near: readonly NearRow[]): Map<string, number> {
  const cosines = new Map<string, number>();
  for (const row of near) {
    const key = keyOf(row);
    cosines.set(key, Math.max(cosines.get(key) ?? 0, row.cosine));
  }
  return cosines;
}

/** Over all passages; in a large space over its sample. */
async function meanOf(
  connection: Connection,
  {
    stack,
    cosines,
    byMeaning,
  }: { stack: AskedStack; cosines: ReadonlyMap<string, number>; byMeaning: ByMeaning | undefined },
): Promise<number> {
  let values = [...cosines.values()];
  let count = stack.passages;
  if (byMeaning?.isLarge) {
    const sample = await nearSample(connection, byMeaning.space, byMeaning.vector);
    values = sample.map(({ cosine }) => Math.max(0, cosine));
    count = values.length;
  }
  const sum = values.reduce((total, cosine) => total + cosine, 0);
  return (sum + ASSUMED_CHUNKS * ASSUMED_COSINE) / (count + ASSUMED_CHUNKS);
}

function bestOf(counted: readonly CountedRow[], scores: ReadonlyMap<string, number>): readonly CountedRow[] {
  const scored = counted.map((row) => ({ row, score: scores.get(keyOf(row)) ?? 0 }));
  scored.sort((left, right) => right.score - left.score);
  return scored.slice(0, BEST_BY_WORDS).map(({ row }) => row);
}

/** The words of one question in one space. */
class WordSearch {
  readonly #connection: Connection;
  readonly #space: AskedSpace & { readonly isLarge: boolean; readonly analysedPassages: number };
  readonly #stack: AskedStack;
  readonly #words: readonly AskedWord[];
  readonly #terms: readonly string[];
  /** In how many passages of a large space each term is; estimated where it is frequent. */
  #found: ReadonlyMap<string, number> = new Map();
  #scorer: WordScorer | undefined;

  constructor(
    connection: Connection,
    space: AskedSpace & { readonly isLarge: boolean; readonly analysedPassages: number },
    { stack, question }: Asked,
  ) {
    this.#connection = connection;
    this.#space = space;
    this.#stack = stack;
    this.#words = askedWords(question, stack.languages);
    this.#terms = [...new Set(this.#words.flatMap(({ terms }) => terms))];
  }

  get #meanLength(): number {
    return this.#stack.terms / this.#stack.passages || 1;
  }

  async find(): Promise<readonly CountedRow[]> {
    if (this.#terms.length === 0) return [];
    if (!this.#space.isLarge) return this.#with(anyOf(this.#terms));
    this.#found = await this.#countTerms();
    const { rarer, common } = this.#byRarity();
    const rows = rarer.length === 0 ? [] : await this.#heaviest(anyOf(rarer.flatMap(({ terms }) => terms)));
    // A passage may have rarer words and several common ones.
    const found = [...rows, ...(await this.#withSeveral(common))];
    return [...new Map(found.map((row) => [keyOf(row), row])).values()];
  }

  /** The counts of these passages. */
  at(keys: readonly PassageKey[]): Promise<readonly CountedRow[]> {
    if (this.#terms.length === 0) return Promise.resolve([]);
    return passagesAt(this.#connection, this.#space, { terms: this.#terms, keys });
  }

  /** Scores the rows that were found, by how rare each term is among them or in the whole space. */
  scores(rows: readonly CountedRow[]): { readonly scores: Map<string, number>; readonly most: number } {
    const found = (term: string) => {
      if (this.#space.isLarge) return this.#found.get(term) ?? 0;
      const place = this.#terms.indexOf(term);
      return rows.reduce((sum, { counts }) => sum + (counts[place] ? 1 : 0), 0);
    };
    this.#scorer = new WordScorer(this.#words, this.#terms, {
      count: this.#stack.passages,
      meanLength: this.#meanLength,
      found,
    });
    const scores = new Map<string, number>();
    this.addScores(rows, scores);
    return { scores, most: this.#scorer.most };
  }

  addScores(rows: readonly CountedRow[], scores: Map<string, number>): void {
    for (const row of rows) scores.set(keyOf(row), this.#scorer?.score(row) ?? 0);
  }

  #with(match: string): Promise<readonly CountedRow[]> {
    return passagesWith(this.#connection, this.#space, { terms: this.#terms, match });
  }

  #heaviest(match: string): Promise<readonly CountedRow[]> {
    const weighed = this.#foundWords()
      .map((word) => ({
        terms: word.terms,
        weight: word.fraction * rarityOf(this.#foundAny(word), this.#stack.passages),
      }))
      .sort((left, right) => right.weight - left.weight)
      .slice(0, MOST_WEIGHED);
    const bounds = { meanLength: this.#meanLength, mostRead: MOST_ROWS, limit: MOST_COUNTED };
    return heaviestWith(this.#connection, this.#space, { terms: this.#terms, match, weighed, ...bounds });
  }

  #foundWords(): readonly AskedWord[] {
    return this.#words.filter((word) => this.#foundAny(word) > 0);
  }

  #foundAny({ terms }: AskedWord): number {
    return terms.reduce((sum, term) => sum + (this.#found.get(term) ?? 0), 0);
  }

  /** The rarest words, as many as there are rows to read, and the others. */
  #byRarity(): { readonly rarer: readonly AskedWord[]; readonly common: readonly AskedWord[] } {
    const words = this.#foundWords().toSorted((left, right) => this.#foundAny(left) - this.#foundAny(right));
    let rows = 0;
    const isRarer = (word: AskedWord) => {
      rows += this.#foundAny(word);
      return rows <= MOST_ROWS;
    };
    const rarer = words.filter(isRarer);
    return { rarer, common: words.slice(rarer.length) };
  }

  /** Passages with several words, of which each alone is in too many: as many of the rarest words as enough passages have. */
  async #withSeveral(common: readonly AskedWord[]): Promise<readonly CountedRow[]> {
    const found = new Map<string, CountedRow>();
    const words = common.filter(({ fraction }) => fraction === 1);
    for (let count = words.length; count > 0 && found.size < ENOUGH_BY_WORDS; ) {
      const match = allOf(words.slice(0, count).map(({ terms }) => terms));
      for (const row of await this.#heaviest(match)) found.set(keyOf(row), row);
      count = Math.min(count - 1, Math.ceil(KEPT_WORDS * count));
    }
    return [...found.values()];
  }

  /** Frequent terms were counted in a sample; the others are counted now. */
  async #countTerms(): Promise<ReadonlyMap<string, number>> {
    const { passages } = this.#stack;
    const growth = passages / Math.max(1, this.#space.analysedPassages);
    const rows = await queryRows(
      this.#connection,
      termRow,
      sql`select term, passages from knowledge_search.terms
        where space = ${wholeLiteral(this.#space.number)} and term = any (${[...this.#terms]})`,
    );
    const frequent = rows.map(
      ({ term, passages: count }) => [term, Math.min(passages, count * growth)] as const,
    );
    const known = new Set(rows.map(({ term }) => term));
    const rare = this.#terms.filter((term) => !known.has(term));
    return new Map([...frequent, ...(await passageCounts(this.#connection, this.#space, rare))]);
  }
}
