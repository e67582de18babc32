import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundChunk, KnowledgeSearch } from '../../src/knowledge/knowledge-search.ts';
import { StackIndex } from '../../src/knowledge/search/stack-index.ts';
import { SqlChunkSource } from '../../src/store/sql-chunk-source.ts';
import { FakeEmbeddings } from './fake-embeddings.ts';
import { StoredKnowledge } from './stored-knowledge.ts';
import type { VectorDatabase } from './vector-database.ts';

/** A search on a database, and what it needs to be told after documents changed. */
export interface OpenedSearch {
  readonly search: KnowledgeSearch;
  readonly writer?: StoredKnowledge['writer'];
  /** Brings indexes up to date that are built in the background. */
  readonly settle?: () => Promise<unknown>;
  stop(): Promise<unknown>;
}

export interface SearchSurroundings extends VectorDatabase {
  readonly embeddings: FakeEmbeddings;
  readonly failures: unknown[];
}

interface SearchSuite {
  /** Opened before the first test. */
  readonly database: () => VectorDatabase;
  readonly make: (surroundings: SearchSurroundings) => Promise<OpenedSearch>;
}

const never = new AbortController().signal;
const ask = { most: 5, signal: never };

/** Every knowledge search passes these. */
export function describeKnowledgeSearch(name: string, { database, make }: SearchSuite): void {
  describe(name, () => {
    const embeddings = new FakeEmbeddings();
    const failures: unknown[] = [];
    let opened: OpenedSearch;
    let knowledge: StoredKnowledge;
    let [one, two] = ['', ''];
    beforeAll(async () => {
      opened = await make({ ...database(), embeddings, failures });
      knowledge = new StoredKnowledge(database().pool, embeddings);
      knowledge.writer = opened.writer;
    });
    beforeEach(async () => {
      [one, two] = [`one-${randomUUID()}`, `two-${randomUUID()}`];
      for (const id of [one, two]) await knowledge.addStack(id);
      [embeddings.failure, failures.length] = [undefined, 0];
    });
    afterAll(() => opened?.stop());
    const texts = async (stackId: string, question: string) =>
      (await opened.search.search(stackId, question, ask)).map(({ text }) => text);

    it('finds what is in the stack, and never what is in another', async () => {
      await knowledge.put(one, 'a.md', ['Parcels travel by van.', 'Letters travel by bike.']);
      await knowledge.put(two, 'a.md', ['Parcels travel by ship.']);
      await opened.settle?.();
      expect((await texts(one, 'parcels'))[0]).toBe('Parcels travel by van.');
      expect(await texts(two, 'parcels')).toEqual(['Parcels travel by ship.']);
      expect(await texts('three', 'parcels')).toEqual([]);
      expect(await texts(one, '  ')).toEqual([]);
    });

    it('sees every change with the next question', async () => {
      await knowledge.put(one, 'a.md', ['Parcels travel by van.']);
      await knowledge.put(one, 'b.md', ['Parcels are heavy.']);
      await opened.settle?.();
      expect(await texts(one, 'heavy')).toContain('Parcels are heavy.');
      await knowledge.put(one, 'b.md', ['Parcels are light.']);
      expect((await texts(one, 'light'))[0]).toBe('Parcels are light.');
      expect(await texts(one, 'parcels heavy')).not.toContain('Parcels are heavy.');
      await knowledge.remove(one, 'a.md');
      expect(await texts(one, 'parcels van')).toEqual(['Parcels are light.']);
    });

    it('answers by words alone where embeddings fail, and tells of it', async () => {
      await knowledge.put(one, 'a.md', ['Parcels travel by van.']);
      await opened.settle?.();
      embeddings.failure = new Error('no engine');
      const [found] = await opened.search.search(one, 'parcels', ask);
      expect(found).toMatchObject({ text: 'Parcels travel by van.', meaning: undefined });
      expect(failures).toEqual([embeddings.failure]);
    });

    it('gives the answers of an index of all passages', async () => {
      const random = randomFrom(7);
      for (const document of ['a.md', 'b.md', 'parcel-c.md'])
        await knowledge.put(one, document, randomLines(random));
      await knowledge.put(two, 'a.md', randomLines(random));
      await opened.settle?.();
      const index = await indexOf(database(), one, embeddings.model);
      for (const question of [
        'Which parcels travel by ship?',
        'der Versand der Pakete',
        'AB-12',
        'letters',
      ]) {
        const { vectors } = await embeddings.embed([question], { stackId: one, signal: never });
        const expected = index.search({ question, vector: vectors[0], most: 5 });
        const found = await opened.search.search(one, question, ask);
        expect(found).toEqual(expected.map(nearly));
      }
    });

    it('ends when its caller does', async () => {
      await knowledge.put(one, 'a.md', ['Parcels travel by van.']);
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(opened.search.search(one, 'parcels', { most: 5, signal: gone })).rejects.toThrow('gone');
    });
  });
}

/** An index of all passages of a stack, in memory. */
async function indexOf({ pool }: VectorDatabase, stackId: string, model: string): Promise<StackIndex> {
  const source = new SqlChunkSource(pool);
  const { versions, generation } = await source.contents(stackId, never);
  const index = new StackIndex();
  for (const version of versions) {
    expect(version.embeddingsModel).toBe(model);
    const chunks = (await source.chunks(version, { from: 0, most: 1_000 }, never)) ?? [];
    index.add(version, chunks, { isFirst: true, isLast: true });
  }
  index.publish(generation, versions);
  return index;
}

// Vectors have half precision in PostgreSQL, so the third digit may differ.
function nearly({ score, words, meaning, relevance, ...chunk }: FoundChunk): object {
  const near = (value: number) => expect.closeTo(value, 2);
  return {
    ...chunk,
    score: near(score),
    words: near(words),
    meaning: meaning && near(meaning),
    relevance: near(relevance),
  };
}

const WORDS =
  'the and is of parcel parcels travel travels ship van bike letter letters AB-12 heavy light der die und nicht Paket Pakete Versand'.split(
    ' ',
  );

function randomLines(random: (below: number) => number): readonly string[] {
  const line = () => Array.from({ length: 3 + random(9) }, () => WORDS[random(WORDS.length)]).join(' ');
  return Array.from({ length: 12 }, line);
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed * 7_919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
