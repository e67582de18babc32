import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { storedCounts } from '../../testing/knowledge/stored-counts.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import type { FoundChunk } from '../knowledge/knowledge-search.ts';
import { SqlFolderBook } from '../store/sql-folder-book.ts';
import { SqlKnowledge } from '../store/sql-knowledge.ts';

const never = new AbortController().signal;

describeOnDatabase('stackgate knowledge', (database) => {
  let blobs: MemoryBlobStore;
  let folder: string;
  let asked: (readonly [string, string, number])[];
  let stops: number;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stackgate-knowledge-'));
    blobs = new MemoryBlobStore();
    [asked, stops] = [[], 0];
    await storeOwners(database().pool);
    writeFileSync(join(folder, 'a.md'), '# A');
    writeFileSync(join(folder, 'b.csv'), 'x,y\n1,2');
    writeFileSync(join(folder, 'empty.md'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('add queues files and says who indexes them, list shows them', async () => {
    const { code, out } = await cli('add', 'shop', file('a.md'), file('b.csv'));
    expect(code).toBe(0);
    expect(out).toMatch(/^doc_[0-9a-f]{32} +a\.md +3 +queued +no +operator +-$/m);
    expect(out).toContain(
      'The gateway indexes in the background, at once where it runs and else when it is started.',
    );
    const [a, b] = JSON.parse((await cli('list', 'shop', '--json')).out);
    expect([a, b]).toMatchObject([
      { name: 'a.md', state: 'queued' },
      { name: 'b.csv', size_bytes: 7 },
    ]);
    expect((await cli('list', 'other')).out).toBe('(none)\n');
    await cli('add', 'shop', file('b.csv'), '--name', 'a.md');
    expect(JSON.parse((await cli('list', 'shop', '--json')).out)[0]).toMatchObject({
      id: a.id,
      size_bytes: 7,
    });
  });

  it('remove takes ids, names or all, and leaves nothing stored', async () => {
    await cli('add', 'shop', file('a.md'), file('b.csv'));
    const [a] = JSON.parse((await cli('list', 'shop', '--json')).out);
    expect((await cli('remove', 'shop', a.id)).out).toBe('1 document(s) of stack "shop" are removed.\n');
    expect((await cli('remove', 'shop', 'b.csv')).code).toBe(0);
    expect(await storedCounts(database().pool, blobs)).toEqual({
      documents: 0,
      chunks: 0,
      blobs: 0,
      leftovers: 0,
    });
    await cli('add', 'shop', file('a.md'), file('b.csv'));
    await declare('own.md');
    expect((await cli('remove', 'shop', '--all')).out).toContain('2 document(s)');
    const refused = await cli('remove', 'shop', 'own.md');
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('is declared in the configuration'),
    ]);
  });

  it('folders lists what is watched, and list says what came from there', async () => {
    const book = new SqlFolderBook(database().pool);
    const docs = { stackId: 'shop', source: 'docs' };
    const lease = await book.take(docs, { unlessWithinMs: 0 });
    if (lease === undefined) throw new Error('it is taken');
    await book.finish(lease, { files: 2, waiting: 1, problem: undefined });
    const store = new SqlKnowledge(database().pool, blobs);
    const document = { ...docs, name: 'docs/a.md', bytes: new Uint8Array(), declared: true };
    await store.save({ ...document, failure: 'It is empty.' }, never);
    expect((await cli('folders')).out).toMatch(/^shop +docs +\S+Z +2 +1 +0 +1 +-$/m);
    expect(JSON.parse((await cli('folders', 'shop', '--json')).out)).toMatchObject([
      { stack: 'shop', source: 'docs', files: 2, waiting: 1, documents: 1, failed: 1, problem: null },
    ]);
    expect((await cli('folders', 'other')).out).toBe('(none)\n');
    expect((await cli('list', 'shop')).out).toMatch(/failed +no +config file: docs +It is empty\.$/m);
  });

  it('reindex queues the next version of what is named, or of everything', async () => {
    await cli('add', 'shop', file('a.md'), file('b.csv'));
    await database().pool.query(`update knowledge_documents set state = 'ready'`);
    expect(JSON.parse((await cli('reindex', 'shop', 'a.md', '--json')).out)).toMatchObject([
      { name: 'a.md', state: 'queued' },
    ]);
    expect(await states()).toEqual(['queued', 'ready']);
    await cli('reindex', 'shop');
    expect(await states()).toEqual(['queued', 'queued']);
  });

  it.each([
    [['add', 'none', 'a.md'], 'there is no stack "none"'],
    [['add', 'shop', 'missing.md'], 'missing.md cannot be read: ENOENT'],
    [['add', 'shop', 'empty.md'], 'The document "empty.md" has no bytes.'],
    [['add', 'shop', 'a.md', 'b.csv', '--name', 'x'], '--name goes with one file'],
    [['list', 'none'], 'there is no stack "none"'],
    [
      ['remove', 'shop', 'x.md'],
      'stack "shop" has no document "x.md"; "stackgate knowledge list shop" shows them',
    ],
    [['remove', 'shop'], 'name the documents to remove, or say --all'],
    [['reindex', 'shop', 'x.md'], 'stack "shop" has no document "x.md"'],
  ])('%j is refused', async (argv, message) => {
    const { code, err } = await cli(
      ...argv.map((word) => (/\.(md|csv)$/.test(word) && argv[0] === 'add' ? file(word) : word)),
    );
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  it('search shows passages with their scores, source and place', async () => {
    const { code, out } = await cli('search', 'shop', 'when', 'open?', '--limit', '2');
    expect([code, out]).toEqual([
      0,
      '1. score 0.750  words 0.250  meaning 0.500  fused 0.900\n   a.md, page 3\n   Shop > Hours\n   We open at nine.\n' +
        '\n2. score 0.200  words 0.000  meaning -  fused 0.100\n   a.md\n   We open at nine.\n',
    ]);
    expect(asked).toEqual([['shop', 'when open?', 2]]);
    expect(JSON.parse((await cli('search', 'shop', 'x', '--json')).out)[1]).toEqual({
      score: 0.2,
      words: 0,
      meaning: null,
      fused: 0.1,
      document_id: 'doc_1',
      document: 'a.md',
      position: 0,
      page: null,
      headings: [],
      text: 'We open\nat nine.',
    });
    expect((await cli('search', 'none', 'x')).code).toBe(3);
    expect((await cli('search', 'shop', 'x', '--limit', '0')).code).toBe(2);
    expect(stops).toBe(2);
  });

  it('moves indexes of all stacks, or documents of one, but not both', async () => {
    for (const words of [[], ['shop', '--to', 'postgres']])
      expect((await cli('reindex', ...words)).err).toContain('name a stack, or say --to');
    expect((await cli('reindex', '--to', 'disk')).code).toBe(2);
    const back = await cli('reindex', '--to', 'embedded');
    expect([back.code, back.out]).toEqual([
      0,
      expect.stringContaining('The tables of the search are removed.'),
    ]);
  });

  const file = (name: string) => join(folder, name);
  const states = async () =>
    JSON.parse((await cli('list', 'shop', '--json')).out).map(({ state }: { state: string }) => state);
  const declare = (name: string) =>
    new SqlKnowledge(database().pool, blobs).save(
      { stackId: 'shop', name, bytes: Buffer.from('x'), declared: true },
      never,
    );

  function cli(...argv: readonly string[]): Promise<CliResult> {
    return runCli(['knowledge', ...argv], {
      openBlobs: async () => blobs,
      withDatabase: (_config, work) => work(database().pool),
      openSearch: async () => ({
        search: async (stackId, question, { most }) => {
          asked.push([stackId, question, most]);
          return [
            passage,
            {
              ...passage,
              score: 0.1,
              words: 0,
              meaning: undefined,
              relevance: 0.2,
              page: undefined,
              headings: [],
            },
          ];
        },
        stop: async () => {
          stops += 1;
        },
      }),
    });
  }
});

const passage: FoundChunk = {
  documentId: 'doc_1',
  documentName: 'a.md',
  position: 0,
  text: 'We open\nat nine.',
  headings: ['Shop', 'Hours'],
  page: 3,
  score: 0.9,
  words: 0.25,
  meaning: 0.5,
  relevance: 0.75,
};
