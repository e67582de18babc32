import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { MemoryKnowledgeStore } from '../../testing/knowledge/memory-knowledge-store.ts';
import { declaredFolders } from '../knowledge/folders/declared-folder.ts';
import { KnowledgeService, MAX_DOCUMENT_BYTES } from '../knowledge/service/knowledge-service.ts';
import { applyDeclaredKnowledge, declaredFiles } from './declared-knowledge.ts';

const { signal } = new AbortController();

describe('declared knowledge', () => {
  let folder: string;
  let store: MemoryKnowledgeStore;
  let refusals: string[];
  beforeEach(() => {
    folder = makeDataFolder();
    store = new MemoryKnowledgeStore();
    refusals = [];
  });

  it('queues files, again when their bytes changed, and removes what was taken out', async () => {
    write('a.md', 'one');
    write('b.md', 'two');
    await apply({ shop: ['a.md', 'b.md'], other: ['a.md'] });
    const [a, b] = (await documents('shop')).map(({ name, id }) => ({ name, id }));
    expect([a?.name, b?.name]).toEqual(['a.md', 'b.md']);
    const before = await documents('shop');
    write('b.md', 'changed');
    await apply({ shop: ['a.md', 'b.md'], other: ['a.md'] });
    const after = await documents('shop');
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toMatchObject({ id: b?.id, sizeBytes: 7, declared: true });
    await apply({ shop: ['b.md'] });
    expect((await documents('shop')).map(({ id }) => id)).toEqual([b?.id]);
    expect(await documents('other')).toEqual([]);
    expect(refusals).toEqual([]);
  });

  it('continues after a rejected file, and keeps its document', async () => {
    write('gone.md', 'text');
    write('last.md', 'text');
    await apply({ shop: ['gone.md'] });
    rmSync(join(folder, 'gone.md'));
    write('empty.md', '');
    write('picture.png', 'GIF89a\0\0\0\0');
    writeFileSync(join(folder, 'large.md'), Buffer.alloc(MAX_DOCUMENT_BYTES + 1));
    await apply({ shop: ['gone.md', 'empty.md', 'picture.png', 'large.md', 'last.md'] });
    expect((await documents('shop')).map(({ name }) => name)).toEqual(['gone.md', 'last.md']);
    expect(refusals).toEqual([
      'gone.md: ENOENT',
      'empty.md: The document "empty.md" has no bytes.',
      'picture.png: The document "picture.png" is a picture; send a text, or a PDF.',
      'large.md: It has 50000001 bytes; at most 50000000 are taken.',
    ]);
  });

  it('neither takes over nor removes documents created by other means', async () => {
    await store.save({ stackId: 'shop', name: 'a.md', bytes: Buffer.from('own'), declared: false }, signal);
    write('a.md', 'one');
    await apply({ shop: ['a.md'] });
    expect(refusals).toEqual([
      'a.md: The stack has a document of this name that was made by other means: remove that one first.',
    ]);
    await apply({ shop: [] });
    expect(await documents('shop')).toMatchObject([{ name: 'a.md', sizeBytes: 3 }]);
  });

  it('removes documents of a folder only when it is taken out, not while it is missing', async () => {
    mkdirSync(join(folder, 'docs'));
    const fromDocs = { stackId: 'shop', name: 'docs/a.md', declared: true, source: 'docs' };
    await store.save({ ...fromDocs, bytes: Buffer.from('a') }, signal);
    await apply({ shop: ['docs'] });
    rmSync(join(folder, 'docs'), { recursive: true });
    await apply({ shop: ['docs'] });
    expect(await documents('shop')).toHaveLength(1);
    await apply({ shop: [] });
    expect(await documents('shop')).toEqual([]);
  });

  it('names a file anew when another one needs its name, and leaves no document of the old name', async () => {
    for (const place of ['de', 'en']) {
      mkdirSync(join(folder, place));
      write(`${place}/a.md`, place);
    }
    await apply({ shop: ['de/a.md'] });
    await apply({ shop: ['de/a.md', 'en/a.md'] });
    expect((await documents('shop')).map(({ name, source }) => [name, source])).toEqual([
      ['de/a.md', 'de/a.md'],
      ['en/a.md', 'en/a.md'],
    ]);
  });

  it('names files by their shortest unique path suffix', () => {
    const named = (...paths: string[]) =>
      declaredFiles(
        'shop',
        paths.map((path) => ({ path, source: path })),
      ).map(({ name }) => name);
    expect(named('/x/a.md', '/x/b.md', '/x/a.md')).toEqual(['a.md', 'b.md']);
    expect(named('/x/de/a.md', '/x/en/a.md', '/a.md')).toEqual(['de/a.md', 'en/a.md', '/a.md']);
  });

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const documents = async (stackId: string) => (await store.list({ stackId, limit: 99 })).documents;

  async function apply(files: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const stacks = Object.entries(files).map(([id, names]) => ({
      id,
      knowledge: names.map((name) => ({
        kind: 'path' as const,
        source: name,
        path: join(folder, name),
        isFolder: false,
      })),
    }));
    await applyDeclaredKnowledge(stacks, await declaredFolders(stacks), {
      store,
      service: new KnowledgeService({ store }),
      refused: ({ name }, reason) => refusals.push(`${name}: ${reason}`),
      signal,
    });
  }
});
