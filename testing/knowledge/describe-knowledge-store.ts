import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/faults/fault.ts';
import { newDocumentId } from '../../src/knowledge/document-id.ts';
import type { KnowledgeDocument } from '../../src/knowledge/knowledge-document.ts';
import { DocumentOwned, type KnowledgeStore, type NewDocument } from '../../src/knowledge/knowledge-store.ts';

const never = new AbortController().signal;

/** Contract of every document store; `make` gives an empty one that knows the stacks `shop` and `other`. */
export function describeKnowledgeStore(name: string, make: () => Promise<KnowledgeStore>): void {
  describe(`${name} as a store of documents`, () => {
    let store: KnowledgeStore;
    beforeEach(async () => {
      store = await make();
    });

    it('queues what is saved', async () => {
      const saved = await save({ name: 'Häuser & Gärten.md', bytes: Buffer.from('# Häuser') });
      expect(saved).toEqual({
        id: expect.stringMatching(/^doc_[0-9a-f]{32}$/),
        stackId: 'shop',
        name: 'Häuser & Gärten.md',
        sizeBytes: 9,
        sha256: createHash('sha256').update('# Häuser').digest('hex'),
        state: 'queued',
        progress: 0,
        failure: undefined,
        chunks: 0,
        searchable: false,
        declared: false,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
      expect(await store.find('shop', saved.id)).toEqual(saved);
      expect(await store.findByName('shop', saved.name)).toEqual(saved);
      expect(await store.countByState()).toEqual({ queued: 1, indexing: 0, ready: 0, failed: 0 });
    });

    it('takes another document of the name for its next version, and the same bytes for the same', async () => {
      const first = await save({ bytes: Buffer.from('one') });
      expect(await save({ bytes: Buffer.from('one') })).toEqual(first);
      const second = await save({ bytes: Buffer.from('three') });
      expect(second).toMatchObject({ id: first.id, sizeBytes: 5, createdAt: first.createdAt });
      expect(second.sha256).not.toBe(first.sha256);
      expect(await names('shop')).toEqual(['a.md']);
    });

    it('shows a stack nothing of another, whatever the names', async () => {
      const shop = await save({});
      const other = await save({ stackId: 'other' });
      expect(other.id).not.toBe(shop.id);
      expect(await store.find('shop', other.id)).toBeUndefined();
      expect(await store.remove('shop', other.id)).toBe(false);
      expect(await store.requeue('shop', other.id)).toBeUndefined();
      expect(await store.remove('shop', shop.id)).toBe(true);
      expect([await names('shop'), await names('other')]).toEqual([[], ['a.md']]);
      expect(await store.findByName('shop', 'a.md')).toBeUndefined();
    });

    it.each(['', 'doc_', "'", `doc_${'g'.repeat(32)}`, '../../etc/passwd', newDocumentId()])(
      'knows nothing of %s',
      async (id) => {
        await save({});
        expect(await store.find('shop', id)).toBeUndefined();
        expect(await store.remove('shop', id)).toBe(false);
        expect(await store.requeue('shop', id)).toBeUndefined();
        expect(await names('shop')).toEqual(['a.md']);
      },
    );

    it('lists by name, page by page', async () => {
      for (const name of ['c', 'B', 'ä', 'a', 'b']) await save({ name });
      const pages: (readonly string[])[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({ stackId: 'shop', limit: 2, ...(cursor && { cursor }) });
        pages.push(page.documents.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(pages).toEqual([['B', 'a'], ['b', 'c'], ['ä']]);
      const whole = await store.list({ stackId: 'shop', limit: 5 });
      expect(whole.nextCursor).toBeUndefined();
    });

    it.each(['', '!', 'AA', 'YQ=='])('refuses the cursor "%s"', async (cursor) => {
      const thrown = await store.list({ stackId: 'shop', limit: 1, cursor }).catch((error: unknown) => error);
      expect(thrown instanceof Fault && thrown.code).toBe('invalid-request');
    });

    it('keeps what the file owns apart', async () => {
      await save({ name: 'file.md', declared: true });
      await save({ name: 'upload.md' });
      await expect(save({ name: 'file.md' })).rejects.toThrow(DocumentOwned);
      await expect(save({ name: 'upload.md', declared: true })).rejects.toThrow(DocumentOwned);
      expect((await store.listDeclared()).map(({ name }) => name)).toEqual(['file.md']);
    });

    it('keeps the documents of a source apart, and notes where unchanged bytes are', async () => {
      const docs = { name: 'docs/a.md', declared: true, source: 'docs' };
      const first = await save({ ...docs, fileMark: '1' });
      const second = await save({ ...docs, fileMark: '2' });
      expect(second).toEqual({ ...first, fileMark: '2' });
      await save({ name: 'b.md', declared: true, source: 'b.md' });
      await save({ name: 'c.md' });
      expect(await store.listFrom('shop', 'docs')).toEqual([second]);
      expect(await store.listFrom('other', 'docs')).toEqual([]);
      await expect(save({ ...docs, source: 'elsewhere' })).rejects.toThrow(DocumentOwned);
    });

    it('shows why the bytes of a document were not taken, and takes them later', async () => {
      const docs = { name: 'docs/a.md', declared: true, source: 'docs' };
      const none = { ...docs, bytes: new Uint8Array(), failure: 'It is too large.' };
      const failed = await save(none);
      expect(failed).toMatchObject({ state: 'failed', failure: 'It is too large.', sizeBytes: 0 });
      expect(await save(none)).toEqual(failed);
      const taken = await save({ ...docs, bytes: Buffer.from('small') });
      expect(taken).toMatchObject({ id: failed.id, state: 'queued', failure: undefined, sizeBytes: 5 });
    });

    it('keeps nothing for a client that left', async () => {
      const left = AbortSignal.abort(new Error('gone'));
      await expect(store.save(document({}), left)).rejects.toThrow('gone');
      expect(await names('shop')).toEqual([]);
    });

    function save(changes: Partial<NewDocument>): Promise<KnowledgeDocument> {
      return store.save(document(changes), never);
    }

    async function names(stackId: string): Promise<readonly string[]> {
      return (await store.list({ stackId, limit: 100 })).documents.map(({ name }) => name);
    }
  });
}

function document(changes: Partial<NewDocument>): NewDocument {
  return { stackId: 'shop', name: 'a.md', bytes: Buffer.from('# Text'), declared: false, ...changes };
}
