import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeEmbeddings } from '../../../testing/knowledge/fake-embeddings.ts';
import { MemoryChunkSource } from '../../../testing/knowledge/memory-chunk-source.ts';
import { wallClock } from '../../lib/wall-clock.ts';
import { IndexFiles } from './index-files.ts';
import { IndexSweeper } from './index-sweeper.ts';
import { StackIndex } from './stack-index.ts';

const { signal } = new AbortController();
let folder = '';
let source: MemoryChunkSource;
let sweeper: IndexSweeper;
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'stackgate-sweep-')), 'search');
  source = new MemoryChunkSource(new FakeEmbeddings());
  sweeper = new IndexSweeper({ folder, maker: 'maker', source, clock: wallClock });
  await source.put('shop', 'a.md', ['Parcels travel by van.']);
  await source.put('shop', 'b.md', ['Letters travel by bike.']);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

async function saveShop(maker = 'maker'): Promise<void> {
  const { generation, versions } = await source.contents('shop');
  const index = new StackIndex();
  for (const version of versions) {
    const chunks = (await source.chunks(version, { from: 0, most: 64 })) ?? [];
    index.add(version, chunks, { isFirst: true, isLast: true });
  }
  index.publish(generation, versions);
  await new IndexFiles(folder, maker, async () => 2 ** 40).save('shop', index);
}

it('keeps a file whose documents are all there, also when others were added', async () => {
  expect(await sweeper.sweep(signal)).toBeUndefined();
  await saveShop();
  expect(await sweeper.sweep(signal)).toBeUndefined();
  await source.put('shop', 'c.md', ['Ships are slow.']);
  expect(await sweeper.sweep(signal)).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(1);
});

it('removes a file with a document that was removed or replaced', async () => {
  await saveShop();
  source.remove('shop', 'a.md');
  expect(await sweeper.sweep(signal)).toEqual({ removed: 1 });
  await saveShop();
  await source.put('shop', 'b.md', ['Letters travel by train.']);
  expect(await sweeper.sweep(signal)).toEqual({ removed: 1 });
  expect(readdirSync(folder)).toEqual([]);
});

it('removes files of other makers, unreadable ones, and those that were never finished', async () => {
  await saveShop('other');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bad.index'), 'garbage');
  writeFileSync(join(folder, 'old.index.1.tmp'), 'half');
  utimesSync(join(folder, 'old.index.1.tmp'), 1, 1);
  writeFileSync(join(folder, 'new.index.1.tmp'), 'half');
  expect(await sweeper.sweep(signal)).toEqual({ removed: 3 });
  expect(readdirSync(folder)).toEqual(['new.index.1.tmp']);
});
