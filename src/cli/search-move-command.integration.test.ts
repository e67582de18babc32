import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { FakeEmbeddings } from '../../testing/knowledge/fake-embeddings.ts';
import { StoredKnowledge } from '../../testing/knowledge/stored-knowledge.ts';
import { type VectorDatabase, vectorDatabases } from '../../testing/knowledge/vector-database.ts';
import { passageRows } from '../knowledge/search/passage-rows.ts';
import { SearchFiller } from '../store/search-filler.ts';
import { SearchIndexes } from '../store/search-indexes.ts';
import { SearchMoves } from '../store/search-moves.ts';
import { CLEAR_LINE } from './progress-line.ts';

describe.each(vectorDatabases)('moving indexes to %s', (_name, open) => {
  const embeddings = new FakeEmbeddings();
  let database: VectorDatabase;

  beforeAll(async () => {
    database = await open();
    const knowledge = new StoredKnowledge(database.pool, embeddings);
    await knowledge.addStack('shop');
    await knowledge.put('shop', 'a.md', ['One parcel.', 'Two parcels.', 'Three parcels.']);
    await knowledge.put('shop', 'b.md', ['A letter.']);
  });
  afterAll(() => database?.close());

  it('shows how far it is, and what it has moved', async () => {
    const { code, out, err } = await runCli(['knowledge', 'reindex', '--to', 'postgres'], {
      isWatched: true,
      withDatabase: (_config, work) => work(database.pool),
      openSearchMove: async ({ pool }) => {
        const filler = new SearchFiller(pool, async (batch) => passageRows(batch));
        const moves = new SearchMoves(pool, filler, embeddings.model);
        return { moves, indexes: new SearchIndexes(pool), stop: async () => {} };
      },
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 document\(s\) are moved/)]);
    expect(err.split(CLEAR_LINE).filter((line) => line !== '')).toEqual([
      'Moving passages: 0 of 4 (0 %)',
      'Moving passages: 3 of 4 (75 %)',
      'Moving passages: 4 of 4 (100 %)',
      'Building the indexes of large stacks',
    ]);
  });
});
