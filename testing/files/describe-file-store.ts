import { beforeEach, describe, expect, it } from 'vitest';
import { newFileId } from '../../src/files/file-id.ts';
import {
  type FileQuery,
  type FileStore,
  PENDING_SECONDS,
  type StoredFile,
} from '../../src/files/file-store.ts';
import { makeFile } from './make-file.ts';

const never = new AbortController().signal;
const bytes = Buffer.from('%PDF-1.7');

/** Contract of every file store; `make` gives an empty one that knows keys `web` and `app` of stacks `shop` and `other`. */
export function describeFileStore(name: string, make: () => Promise<FileStore>): void {
  describe(`${name} as a file store`, () => {
    let store: FileStore;
    beforeEach(async () => {
      store = await make();
    });

    it('gives back what was stored', async () => {
      const file = makeFile({
        name: 'Rechnung – 短.pdf',
        purpose: 'vision',
        keepSeconds: 7_200,
        sizeBytes: 99,
      });
      const { keepSeconds, ...values } = file;
      const before = Date.now();
      expect(await store.reserve(file)).toMatchObject(values);
      const stored = await store.store('shop', file.id, bytes, never);
      expect(stored).toMatchObject({ ...values, sizeBytes: bytes.byteLength });
      expect(stored?.sha256).toMatch(/^[0-9a-f]{64}$/);
      const keptMs = (stored?.expiresAt.getTime() ?? 0) - before;
      expect(Math.abs(keptMs - keepSeconds * 1000)).toBeLessThan(60_000);
      expect(await store.find('shop', file.id)).toEqual(stored);
      expect(Buffer.from((await store.readBytes('shop', file.id, never)) ?? [])).toEqual(bytes);
    });

    it('shows no reserved file but as a reserved one, and ends it after an hour', async () => {
      const file = makeFile();
      const { expiresAt } = await store.reserve(file);
      expect(Math.abs(expiresAt.getTime() - Date.now() - PENDING_SECONDS * 1000)).toBeLessThan(60_000);
      expect(await store.find('shop', file.id)).toBeUndefined();
      expect(await store.findAll('shop', [file.id])).toEqual([]);
      expect(await store.readBytes('shop', file.id, never)).toBeUndefined();
      expect(await listed({})).toEqual([]);
      expect(await store.findPending('shop', file.id)).toMatchObject({ id: file.id });
      await store.store('shop', file.id, bytes, never);
      expect(await store.findPending('shop', file.id)).toBeUndefined();
    });

    it('takes bytes once, also when they come several times at once', async () => {
      const { id } = await store.reserve(makeFile());
      const tries = [1, 2, 3].map((number) => store.store('shop', id, Buffer.from(`${number}`), never));
      const results = await Promise.all(tries);
      expect(results.filter((stored) => stored !== undefined)).toHaveLength(1);
      const winner = results.findIndex((stored) => stored !== undefined) + 1;
      expect(String(Buffer.from((await store.readBytes('shop', id, never)) ?? []))).toBe(`${winner}`);
      expect(await store.store('shop', id, bytes, never)).toBeUndefined();
    });

    it('shows a stack nothing of another', async () => {
      const { id } = await stored({ stackId: 'other' });
      const pending = await store.reserve(makeFile({ stackId: 'other' }));
      expect(await store.find('shop', id)).toBeUndefined();
      expect(await store.findAll('shop', [id])).toEqual([]);
      expect(await store.readBytes('shop', id, never)).toBeUndefined();
      expect(await store.remove('shop', id)).toBe(false);
      expect(await store.findPending('shop', pending.id)).toBeUndefined();
      expect(await store.store('shop', pending.id, bytes, never)).toBeUndefined();
      expect(await listed({})).toEqual([]);
      expect(await store.find('other', id)).toBeDefined();
    });

    it.each(['', 'file_', "'", `file_${'g'.repeat(32)}`, '../../etc/passwd', newFileId(1)])(
      'knows nothing of %s',
      async (id) => {
        expect(await store.find('shop', id)).toBeUndefined();
        expect(await store.findPending('shop', id)).toBeUndefined();
        expect(await store.readBytes('shop', id, never)).toBeUndefined();
        expect(await store.store('shop', id, bytes, never)).toBeUndefined();
        expect(await store.remove('shop', id)).toBe(false);
      },
    );

    it('removes once, stored or reserved', async () => {
      const { id } = await stored({});
      expect([await store.remove('shop', id), await store.remove('shop', id)]).toEqual([true, false]);
      expect(await store.find('shop', id)).toBeUndefined();
      expect(await store.readBytes('shop', id, never)).toBeUndefined();
      const pending = await store.reserve(makeFile());
      expect(await store.remove('shop', pending.id)).toBe(true);
      expect(await store.store('shop', pending.id, bytes, never)).toBeUndefined();
    });

    it('lists in either order, page by page, also when the last of a page is deleted meanwhile', async () => {
      const all: StoredFile[] = [];
      for (let second = 1; second <= 5; second++) all.push(await stored({ id: newFileId(second * 1000) }));
      const oldestFirst = all.map(({ id }) => id);
      for (const order of ['oldest', 'newest'] as const) {
        const seen: string[] = [];
        for (let after: string | undefined, hasMore = true; hasMore; ) {
          const page = await store.list({ stackId: 'shop', order, limit: 2, ...(after && { after }) });
          seen.push(...page.files.map(({ id }) => id));
          after = seen.at(-1);
          hasMore = page.hasMore;
          if (order === 'newest' && after !== undefined) await store.remove('shop', after);
        }
        expect(seen).toEqual(order === 'oldest' ? oldestFirst : oldestFirst.toReversed());
      }
    });

    it('lists by purpose', async () => {
      await stored({ purpose: 'batch' });
      const { id } = await stored({ purpose: 'vision' });
      expect(await listed({ purpose: 'vision' })).toEqual([id]);
      expect(await listed({ purpose: 'evals' })).toEqual([]);
    });

    it('keeps no bytes for a client that left', async () => {
      const { id } = await store.reserve(makeFile());
      await expect(store.store('shop', id, bytes, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
        'gone',
      );
      expect(await store.find('shop', id)).toBeUndefined();
      expect(await store.store('shop', id, bytes, never)).toBeDefined();
    });

    async function stored(values: Parameters<typeof makeFile>[0]): Promise<StoredFile> {
      const { id, stackId } = await store.reserve(makeFile(values));
      const file = await store.store(stackId, id, bytes, never);
      if (file === undefined) throw new Error('the file was not stored');
      return file;
    }

    async function listed(query: Pick<FileQuery, 'purpose'>): Promise<readonly string[]> {
      const { files } = await store.list({ stackId: 'shop', order: 'newest', limit: 100, ...query });
      return files.map(({ id }) => id);
    }
  });
}
