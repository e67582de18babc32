import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryKnowledgeStore } from '../../../testing/knowledge/memory-knowledge-store.ts';
import { Fault } from '../../faults/fault.ts';
import { KnowledgeService, MAX_DOCUMENT_BYTES } from './knowledge-service.ts';

const { signal } = new AbortController();

describe('KnowledgeService', () => {
  let store: MemoryKnowledgeStore;
  let service: KnowledgeService;
  let wakes: number;
  beforeEach(() => {
    wakes = 0;
    store = new MemoryKnowledgeStore();
    service = new KnowledgeService({
      store,
      wake: () => {
        wakes += 1;
      },
    });
  });

  it('takes a document of exactly 50 MB, and none larger', async () => {
    const bytes = Buffer.alloc(MAX_DOCUMENT_BYTES + 1, 'word ');
    await service.add('shop', [{ name: 'a.txt', bytes: bytes.subarray(1) }], { signal });
    const larger = service.add('shop', [{ name: 'b.txt', bytes }], { signal });
    expect(await codeOf(larger)).toBe('document-too-large');
    await expect(larger).rejects.toThrow(
      'The document "b.txt" has 50000001 bytes; at most 50000000 are taken.',
    );
  });

  it('keeps none of several documents if the configuration file owns one of them', async () => {
    const one = { name: 'one.txt', bytes: Buffer.from('text') };
    const owned = { ...one, name: 'owned.txt' };
    await service.add('shop', [owned], { source: 'owned.txt', signal });
    expect(await codeOf(service.add('shop', [one, owned], { signal }))).toBe('document-declared');
    expect(await store.findByName('shop', one.name)).toBeUndefined();
  });

  it('wakes the indexer for new work only', async () => {
    const [document] = await service.add('shop', [{ name: 'a.txt', bytes: Buffer.from('text') }], { signal });
    expect(wakes).toBe(1);
    await service.reindex('shop', document?.id ?? '');
    expect(wakes).toBe(2);
    await service.remove('shop', document?.id ?? '');
    expect(wakes).toBe(3);
    expect(await codeOf(service.reindex('shop', document?.id ?? ''))).toBe('document-not-found');
    expect(await codeOf(service.get('shop', document?.id ?? ''))).toBe('document-not-found');
    expect(wakes).toBe(3);
  });

  it.each(['', ' ', 'a\nb', 'a\0', '\u202Ea', 'x'.repeat(256)])('refuses the name %j', async (name) => {
    expect(await codeOf(service.add('shop', [{ name, bytes: Buffer.from('x') }], { signal }))).toBe(
      'invalid-request',
    );
  });
});

async function codeOf(work: Promise<unknown>): Promise<string | false> {
  const thrown = await work.catch((error: unknown) => error);
  return thrown instanceof Fault && thrown.code;
}
