import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEmbeddings } from '../../../testing/knowledge/fake-embeddings.ts';
import { MemoryChunkSource } from '../../../testing/knowledge/memory-chunk-source.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { ChildPort, LaunchChild } from '../../supervision/child-port.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import { HybridSearch } from './hybrid-search.ts';
import type { SearchWorkerData } from './search-job.ts';

const embeddings = new FakeEmbeddings();
let failures: unknown[] = [];
let children: ChildPort[] = [];
let searches: HybridSearch[] = [];

let folder = '';
const watchedWorker: LaunchChild = (listener) => {
  const data: SearchWorkerData = {
    maxBytes: 1_000_000,
    files: { folder, maker: 'test', isReadOnly: false, saveDelayMs: 0 },
  };
  const entry = compiledEntry(import.meta.url, './search-worker.js');
  const child = workerChild({ entry, env: {}, data })(listener);
  children.push(child);
  return child;
};

function searchIn(
  source: MemoryChunkSource,
  embeddingPatience = { readyMs: 10_000, wakingMs: 10_000 },
): HybridSearch {
  const search = new HybridSearch({
    source,
    embeddings,
    onEmbeddingsFailure: (error: unknown) => void failures.push(error),
    launch: watchedWorker,
    memoryBytes: 1e6,
    embeddingPatience,
  });
  searches.push(search);
  return search;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackgate-search-'));
});
afterEach(async () => {
  for (const search of searches) await search.stop(AbortSignal.abort());
  rmSync(folder, { recursive: true, maxRetries: 3 });
  [failures, children, searches] = [[], [], []];
  embeddings.failure = undefined;
  embeddings.hold = async () => {};
  embeddings.lifecycle.state = 'ready';
});

const { signal } = new AbortController();
const texts = async (search: HybridSearch, stackId: string, question: string) =>
  (await search.search(stackId, question, { most: 5, signal })).map(({ text }) => text);

describe('a search', () => {
  it('finds what is in the stack, and never what is in another', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.', 'Letters travel by bike.']);
    await source.put('two', 'a.md', ['Parcels travel by ship.']);
    const search = searchIn(source);
    expect((await texts(search, 'one', 'parcels'))[0]).toBe('Parcels travel by van.');
    expect(await texts(search, 'two', 'parcels')).toEqual(['Parcels travel by ship.']);
    expect(await texts(search, 'three', 'parcels')).toEqual([]);
  });

  it('sees a change of the stack, and reads only what is new', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    await source.put('one', 'b.md', ['Parcels are heavy.']);
    const search = searchIn(source);
    await texts(search, 'one', 'parcels');
    await source.put('one', 'b.md', ['Parcels are light.']);
    source.reads.length = 0;
    expect((await texts(search, 'one', 'light')).at(0)).toBe('Parcels are light.');
    expect(await texts(search, 'one', 'parcels')).not.toContain('Parcels are heavy.');
    expect(source.reads).toEqual(['b.md']);
  });

  it('loads a stack once for all who ask at the same time', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put(
      'one',
      'a.md',
      Array.from({ length: 200 }, (_, index) => `Parcel number ${index}`),
    );
    const search = searchIn(source);
    const answers = await Promise.all(Array.from({ length: 5 }, () => texts(search, 'one', 'parcel 7')));
    expect(new Set(answers.map((answer) => answer.join())).size).toBe(1);
    expect(source.reads).toHaveLength(4);
  });

  it('causes no listener warnings with many concurrent questions', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    const search = searchIn(source);
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const asked = Array.from({ length: 15 }, () =>
      search.search('one', 'parcels', { most: 5, signal: new AbortController().signal }),
    );
    await Promise.all(asked);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('answers by words alone where embeddings fail, and tells of it', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    embeddings.failure = new Error('no engine');
    const [found] = await searchIn(source).search('one', 'parcels', { most: 5, signal });
    expect(found).toMatchObject({ text: 'Parcels travel by van.', meaning: undefined });
    expect(failures).toEqual([embeddings.failure]);
  });

  it.each([
    ['ready', undefined],
    ['degraded', undefined],
    ['paused', expect.any(Number)],
    ['starting', expect.any(Number)],
  ] as const)('has more patience with an engine that wakes up: %s', async (state, meaning) => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    embeddings.lifecycle.state = state;
    embeddings.hold = () => delay(20);
    const search = searchIn(source, { readyMs: 1, wakingMs: 60_000 });
    const [found] = await search.search('one', 'parcels', { most: 5, signal });
    expect(found).toMatchObject({ text: 'Parcels travel by van.', meaning });
    expect(failures).toHaveLength(meaning === undefined ? 1 : 0);
  });

  it('loads anew after its thread was lost', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    const search = searchIn(source);
    await texts(search, 'one', 'parcels');
    children[0]?.kill();
    expect(await texts(search, 'one', 'parcels')).toEqual(['Parcels travel by van.']);
    expect(children).toHaveLength(2);
  });

  it('opens a stack from its file after a crash, and reads only what changed since', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    await source.put('one', 'b.md', ['Parcels are heavy.']);
    const search = searchIn(source);
    const before = await search.search('one', 'parcels', { most: 5, signal });
    await expect.poll(() => readdirSync(folder)).toEqual([expect.stringMatching(/\.index$/)]);
    children[0]?.kill();
    source.reads.length = 0;
    expect(await search.search('one', 'parcels', { most: 5, signal })).toEqual(before);
    expect(source.reads).toEqual([]);
    await source.put('one', 'b.md', ['Parcels are light.']);
    children[1]?.kill();
    const changed = await texts(search, 'one', 'parcels');
    expect(changed.sort()).toEqual(['Parcels are light.', 'Parcels travel by van.']);
    expect(source.reads).toEqual(['b.md']);
  });

  it('reads everything where the file is damaged, and saves it again', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    const indexFiles = () => readdirSync(folder).filter((name) => name.endsWith('.index'));
    await texts(searchIn(source), 'one', 'parcels');
    await expect.poll(indexFiles).toHaveLength(1);
    truncateSync(join(folder, indexFiles()[0] ?? ''), 100);
    source.reads.length = 0;
    expect(await texts(searchIn(source), 'one', 'parcels')).toEqual(['Parcels travel by van.']);
    expect(source.reads).toEqual(['a.md']);
    await expect.poll(indexFiles).toHaveLength(1);
    source.reads.length = 0;
    await texts(searchIn(source), 'one', 'parcels');
    expect(source.reads).toEqual([]);
  });

  it('goes on loading for the next question when its caller left', async () => {
    const source = new MemoryChunkSource(embeddings);
    const parcels = Array.from({ length: 200 }, (_, index) => `Parcel number ${index}`);
    await source.put('one', 'a.md', parcels);
    const leaving = new AbortController();
    const read = source.chunks.bind(source);
    vi.spyOn(source, 'chunks').mockImplementationOnce((...page) => {
      leaving.abort(new Error('gone'));
      return read(...page);
    });
    const search = searchIn(source);
    const left = search.search('one', 'parcel 7', { most: 5, signal: leaving.signal });
    await expect(left).rejects.toThrow('gone');
    await expect.poll(() => source.reads.length).toBe(4);
    expect(await texts(search, 'one', 'parcel 7')).toContain('Parcel number 7');
    expect(source.reads).toHaveLength(4);
  });

  it('ends when its caller does', async () => {
    const source = new MemoryChunkSource(embeddings);
    await source.put('one', 'a.md', ['Parcels travel by van.']);
    const controller = new AbortController();
    const answer = searchIn(source).search('one', 'parcels', { most: 5, signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
  });
});
