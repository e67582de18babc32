import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../testing/bad-child/clocks.ts';
import { MemoryFolderBook } from '../../../testing/knowledge/memory-folder-book.ts';
import { MemoryKnowledgeStore } from '../../../testing/knowledge/memory-knowledge-store.ts';
import { Fault } from '../../faults/fault.ts';
import { KnowledgeService, MAX_DOCUMENT_BYTES } from '../service/knowledge-service.ts';
import { FolderPass } from './folder-pass.ts';
import type { FolderFile, KnowledgeFolder } from './knowledge-folder.ts';

const { signal } = new AbortController();
const ROOM = 4;

describe('looking through a folder', () => {
  let store: MemoryKnowledgeStore;
  let book: MemoryFolderBook;
  let files: Map<string, { text: string; isWaiting?: boolean; failure?: Error; sizeBytes?: number }>;
  let reads: string[];
  let refusals: string[];
  let roomBytes: number;
  let listFailure: Error | undefined;
  let pass: FolderPass;
  beforeEach(() => {
    store = new MemoryKnowledgeStore(ROOM);
    book = new MemoryFolderBook();
    files = new Map();
    [reads, refusals, roomBytes, listFailure] = [[], [], 1_000, undefined];
    pass = newPass();
  });

  it('adds, replaces and removes documents, and reads only what changed', async () => {
    files.set('a.md', { text: 'one' });
    files.set('de/b.md', { text: 'two' });
    expect(await run()).toBe('done');
    expect(await shown()).toEqual([
      ['docs/a.md', 'queued', 'docs'],
      ['docs/de/b.md', 'queued', 'docs'],
    ]);
    files.set('a.md', { text: 'three' });
    files.delete('de/b.md');
    reads = [];
    // A process that was just started knows as much.
    pass = newPass();
    await run();
    expect(await shown()).toEqual([['docs/a.md', 'queued', 'docs']]);
    expect(reads).toEqual(['a.md']);
    expect(book.reports.at(-1)).toEqual({ files: 1, waiting: 0, problem: undefined });
  });

  it('leaves documents of others alone, and tells of a name that one of them has', async () => {
    await store.save(
      { stackId: 'shop', name: 'docs/a.md', bytes: Buffer.from('x'), declared: false },
      signal,
    );
    await store.save(
      { stackId: 'shop', name: 'docs/b.md', bytes: Buffer.from('x'), declared: false },
      signal,
    );
    files.set('a.md', { text: 'one' });
    await run();
    expect(await shown()).toEqual([
      ['docs/a.md', 'queued', undefined],
      ['docs/b.md', 'queued', undefined],
    ]);
    const reason = 'The stack has a document of this name that came from elsewhere: remove that one first.';
    expect(book.reports).toEqual([{ files: 1, waiting: 0, problem: `a.md: ${reason}` }]);
    await run();
    expect(refusals).toEqual([`a.md: ${reason}`]);
  });

  it('shows a broken file as a failed document, and goes on with the rest', async () => {
    files.set('1.png', { text: 'GIF89a\0\0\0\0' });
    files.set('2.md', { text: '' });
    files.set('3.md', { text: 'x', sizeBytes: MAX_DOCUMENT_BYTES + 1 });
    files.set('4.md', { text: 'good' });
    await run();
    const { documents } = await store.list({ stackId: 'shop', limit: 9 });
    expect(documents.map(({ name, failure }) => [name, failure])).toEqual([
      ['docs/1.png', 'The document "docs/1.png" is a picture; send a text, or a PDF.'],
      ['docs/2.md', 'The document "docs/2.md" has no bytes.'],
      ['docs/3.md', 'The document "docs/3.md" has 50000001 bytes; at most 50000000 are taken.'],
      ['docs/4.md', undefined],
    ]);
    reads = [];
    await run();
    expect(reads).toEqual([]);
    files.set('1.png', { text: 'now a text' });
    await run();
    expect((await shown())[0]).toEqual(['docs/1.png', 'queued', 'docs']);
  });

  it('tries again what may pass: no room, no right to read', async () => {
    roomBytes = 3;
    files.set('a.md', { text: 'four' });
    files.set('b.md', { text: 'x', failure: Object.assign(new Error('no'), { code: 'EACCES' }) });
    await run();
    const { documents } = await store.list({ stackId: 'shop', limit: 9 });
    expect(documents.map(({ state, failure }) => [state, failure])).toEqual([
      ['failed', 'no room'],
      ['failed', 'The file cannot be read: EACCES.'],
    ]);
    expect(book.reports.at(-1)?.problem).toBeUndefined();
    expect(refusals).toEqual(['a.md: no room', 'b.md: The file cannot be read: EACCES.']);
    roomBytes = 4;
    files.set('b.md', { text: 'x' });
    await run();
    expect((await shown()).map(([, state]) => state)).toEqual(['queued', 'queued']);
  });

  it('takes no more documents than a stack may have', async () => {
    for (let index = 0; index <= ROOM; index += 1) files.set(`${index}.md`, { text: `${index}` });
    await run();
    expect(await shown()).toHaveLength(ROOM);
    expect(book.reports.at(-1)?.problem).toMatch(/^4\.md: This stack has 10000 documents/);
  });

  it('waits for files that are still being written, and keeps their document meanwhile', async () => {
    files.set('a.md', { text: 'one' });
    await run();
    files.set('a.md', { text: 'one and', isWaiting: true });
    expect(await run()).toBe('waiting');
    expect(book.reports.at(-1)).toMatchObject({ files: 1, waiting: 1 });
    expect((await store.findByName('shop', 'docs/a.md'))?.sizeBytes).toBe(3);
  });

  it('removes nothing when the folder cannot be read', async () => {
    files.set('a.md', { text: 'one' });
    await run();
    listFailure = Object.assign(new Error('no such folder'), { code: 'ENOENT' });
    expect(await run()).toBe('done');
    expect(await shown()).toHaveLength(1);
    expect(book.reports.at(-1)?.problem).toBe('it cannot be read: ENOENT');
  });

  it('does nothing while another process looks through the folder', async () => {
    book.isTaken = true;
    files.set('a.md', { text: 'one' });
    expect(await run()).toBe('busy');
    expect(await shown()).toEqual([]);
  });

  it('ends when nothing can be stored, to be made again', async () => {
    files.set('a.md', { text: 'one' });
    store.failure = new Fault('database-away', 'away');
    await expect(run()).rejects.toThrow('away');
    expect(book.reports).toEqual([]);
  });

  const run = () => pass.run({ unlessWithinMs: 0, signal });

  async function shown() {
    const { documents } = await store.list({ stackId: 'shop', limit: 9 });
    return documents.map(({ name, state, source }) => [name, state, source]);
  }

  function newPass(): FolderPass {
    const folder: KnowledgeFolder = {
      list: async () => {
        if (listFailure !== undefined) throw listFailure;
        return { files: [...files].map(fileOf), unread: new Map(), isCut: false };
      },
      read: async ({ path }) => {
        reads.push(path);
        const file = files.get(path);
        if (file?.failure !== undefined) throw file.failure;
        return file && Buffer.from(file.text);
      },
    };
    const parts = {
      book,
      store,
      service: new KnowledgeService({ store }),
      takeRoom: async (_stackId: string, bytes: number) => {
        if (bytes > roomBytes) throw new Fault('storage-quota-exceeded', 'no room');
        return { [Symbol.dispose]: () => {} };
      },
      clock: new HeldClock(),
      refused: (_folder: unknown, path: string, reason: string) => refusals.push(`${path}: ${reason}`),
    };
    const source = { kind: 'path', source: 'docs', path: '/docs', isFolder: true } as const;
    return new FolderPass(parts, { stackId: 'shop', source, rootName: 'docs' }, folder);
  }
});

function fileOf([path, file]: [
  string,
  { text: string; isWaiting?: boolean; sizeBytes?: number },
]): FolderFile {
  const { text, isWaiting = false, sizeBytes = text.length } = file;
  return { path, sizeBytes, mark: text, isWaiting };
}
