import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  describeKnowledgeSearch,
  type SearchSurroundings,
} from '../../testing/knowledge/describe-knowledge-search.ts';
import { FakeEmbeddings } from '../../testing/knowledge/fake-embeddings.ts';
import { type PlannedRead, plannedReads } from '../../testing/knowledge/planned-reads.ts';
import { StoredKnowledge } from '../../testing/knowledge/stored-knowledge.ts';
import {
  isPgvectorServed,
  noPgvectorMessage,
  type VectorDatabase,
  vectorDatabases,
} from '../../testing/knowledge/vector-database.ts';
import { DatabaseSearch } from '../knowledge/search/database-search.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { passageRows } from '../knowledge/search/passage-rows.ts';
import { execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { SearchFiller } from './search-filler.ts';
import { SearchIndexes } from './search-indexes.ts';
import { SearchKeeper } from './search-keeper.ts';
import { SearchMoves } from './search-moves.ts';
import { createSearchTables, dropSearchTables } from './search-tables.ts';
import { type Sql, sql } from './sql.ts';
import { SqlChunkSource } from './sql-chunk-source.ts';
import { SqlPassageFinder } from './sql-passage-finder.ts';

const never = new AbortController().signal;
const everywhere = { largePassages: 0 };
const countRow = z.object({ count: wholeNumber });
const spaceRow = z.object({ number: z.number() });

if (!isPgvectorServed) describe.skip(noPgvectorMessage, () => {});

const unused = {
  search: () => Promise.reject(new Error('the embedded index was asked')),
};

function postgresSearch({ pool, embeddings, failures }: SearchSurroundings): DatabaseSearch {
  return new DatabaseSearch({
    finder: new SqlPassageFinder(pool),
    meanwhile: unused,
    embeddings,
    onEmbeddingsFailure: (error) => void failures.push(error),
  });
}

const fillerOn = ({ pool }: VectorDatabase) => new SearchFiller(pool, async (batch) => passageRows(batch));

describe.each(vectorDatabases)('on %s', (_name, open) => {
  let database: VectorDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database?.close());

  describeKnowledgeSearch('the embedded search', {
    database: () => database,
    make: async ({ pool, embeddings, failures }) => {
      const search = new HybridSearch({
        source: new SqlChunkSource(pool),
        embeddings,
        onEmbeddingsFailure: (error) => void failures.push(error),
        memoryBytes: 1e6,
      });
      return { search, stop: () => search.stop(AbortSignal.abort()) };
    },
  });

  describeKnowledgeSearch('the search in PostgreSQL', {
    database: () => database,
    make: async (around) => {
      await createSearchTables(around.pool);
      return { search: postgresSearch(around), writer: fillerOn(around), stop: async () => {} };
    },
  });

  describeKnowledgeSearch('the search in PostgreSQL by indexes of large stacks', {
    database: () => database,
    make: async (around) => {
      await createSearchTables(around.pool);
      const indexes = new SearchIndexes(around.pool, everywhere);
      const settle = () => indexes.tend(never);
      return { search: postgresSearch(around), writer: fillerOn(around), settle, stop: async () => {} };
    },
  });

  describe('the tables of the search', () => {
    const embeddings = new FakeEmbeddings();
    let knowledge: StoredKnowledge;
    let moves: SearchMoves;
    let finder: SqlPassageFinder;
    beforeEach(async () => {
      const { pool } = database;
      finder = new SqlPassageFinder(pool);
      await dropSearchTables(pool);
      await execute(pool, sql`delete from stacks`);
      await createSearchTables(pool);
      knowledge = new StoredKnowledge(pool, embeddings);
      moves = new SearchMoves(pool, fillerOn(database), embeddings.model);
      for (const id of ['shop', 'other']) await knowledge.addStack(id);
    });
    const find = (question: string, stackId = 'shop') =>
      finder.find(
        {
          stackId,
          question,
          most: 5,
          model: embeddings.model,
          vectorOf: async () => (await embeddings.embed([question], { stackId, signal: never })).vectors[0],
        },
        never,
      );
    const count = async (table: Sql) =>
      (await queryRow(database.pool, countRow, sql`select count(*) from knowledge_search.${table}`)).count;

    it('are found where the stack is moved as a whole, and moved again where that was interrupted', async () => {
      for (const name of ['a.md', 'b.md']) await knowledge.put('shop', name, [`Parcels in ${name}.`]);
      await knowledge.put('other', 'c.md', ['Parcels elsewhere.']);
      expect(await find('parcels')).toBeUndefined();
      const interrupted = new AbortController();
      const seen: number[] = [];
      const move = moves.moveAll(interrupted.signal, ({ movedPassages }) => {
        seen.push(movedPassages);
        interrupted.abort(new Error('interrupted'));
      });
      await expect(move).rejects.toThrow('interrupted');
      expect([seen, await moves.progress()]).toEqual([[1], { movedPassages: 1, allPassages: 3 }]);
      expect(await moves.moveAll(never)).toBe(2);
      expect((await find('parcels'))?.map(({ documentName }) => documentName).sort()).toEqual([
        'a.md',
        'b.md',
      ]);
      expect(await find('parcels', 'other')).toHaveLength(1);
    });

    it('have no vectors that are of another model, and words meanwhile', async () => {
      knowledge.writer = fillerOn(database);
      await knowledge.put('shop', 'a.md', ['Parcels travel by van.']);
      const other = new FakeEmbeddings('other');
      const later = new StoredKnowledge(database.pool, other);
      later.writer = knowledge.writer;
      const asked = { stackId: 'shop', question: 'parcels', most: 5, model: 'other' };
      const vectorOf = async () => Float32Array.of(1, 0);
      expect(await finder.find({ ...asked, vectorOf }, never)).toMatchObject([{ meaning: undefined }]);
      await later.index();
      expect(await count(sql`vectors`)).toBe(1);
      expect(await find('parcels')).toMatchObject([{ meaning: undefined }]);
    });

    it('keep nothing of what is removed, replaced, or of a stack that is gone', async () => {
      knowledge.writer = fillerOn(database);
      const indexes = new SearchIndexes(database.pool, everywhere);
      const filling = { moves, indexes, onSettled: async () => {} };
      const keeper = new SearchKeeper({ pool: database.pool, filling });
      await knowledge.put('shop', 'a.md', ['One parcel.', 'Two parcels.']);
      await knowledge.put('shop', 'b.md', ['A letter.']);
      await knowledge.put('other', 'c.md', ['A bike.']);
      expect(await keeper.sweep(never)).toMatchObject({ indexed: 4 });
      await knowledge.put('shop', 'a.md', ['Three parcels.']);
      await knowledge.remove('shop', 'b.md');
      expect(await keeper.sweep(never)).toMatchObject({ removed: 2 });
      expect([await count(sql`passages`), await count(sql`vectors`)]).toEqual([2, 2]);
      await execute(database.pool, sql`delete from stacks where id = ${'shop'}`);
      await keeper.sweep(never);
      expect([await count(sql`passages`), await count(sql`vectors`)]).toEqual([1, 1]);
      expect([await count(sql`spaces`), await count(sql`documents`)]).toEqual([2, 1]);
      expect(await count(sql`samples`)).toBe(1);
    });

    it.each([
      ['all its passages', { largePassages: 1_000 }],
      ['its indexes', everywhere],
    ])('are read in the spaces of the stack alone, by %s', async (_how, bounds) => {
      knowledge.writer = fillerOn(database);
      await knowledge.put('other', 'c.md', ['A parcel by bike.']);
      await knowledge.put('shop', 'a.md', ['One parcel.', 'Two parcels by van.']);
      await new SearchIndexes(database.pool, bounds).tend(never);
      const spaces = await queryRows(
        database.pool,
        spaceRow,
        sql`select number from knowledge_search.spaces where stack_id = ${'shop'} order by number`,
      );
      const isOwn = ({ index, condition }: PlannedRead) =>
        spaces.some(
          ({ number }) =>
            index === `space_${number}` || new RegExp(`\\(space = ${number}\\)`).test(condition),
        );
      const reads = await plannedReads(database.pool, () => find('parcels by van'));
      expect(reads.filter((read) => !isOwn(read))).toEqual([]);
      expect(new Set(reads.map(({ table }) => table))).toContain('passages');
      const nearest = bounds === everywhere ? `space_${spaces[1]?.number}` : 'vectors_pkey';
      expect(reads.map(({ index }) => index)).toContain(nearest);
    });

    it('are asked for few combinations of the words of a long question, where each word is in many', async () => {
      knowledge.writer = fillerOn(database);
      const question = Array.from({ length: 100 }, (_, place) => `lot${place}`).join(' ');
      await knowledge.put('shop', 'a.md', [question, 'One parcel.']);
      await new SearchIndexes(database.pool, everywhere).tend(never);
      const many = 1_000_000;
      await execute(database.pool, sql`update knowledge_search.documents set passages = ${many}`);
      await execute(database.pool, sql`update knowledge_search.spaces set analysed_passages = ${many}`);
      await execute(
        database.pool,
        sql`insert into knowledge_search.terms (space, term, passages)
          select distinct space, lexeme, ${many}::integer from knowledge_search.passages, unnest(words)`,
      );
      let texts: readonly string[] | undefined;
      const reads = await plannedReads(database.pool, async () => {
        texts = (await find(question))?.map(({ text }) => text);
      });
      expect(texts?.[0]).toBe(question);
      const asked = reads.filter(({ table }) => table === 'passages');
      expect(asked.length).toBeGreaterThan(10);
      expect(asked.length).toBeLessThan(25);
    });
  });
});
