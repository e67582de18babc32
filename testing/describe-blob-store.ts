import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BlobKey, parseBlobKey } from '../src/blobs/blob-key.ts';
import type { BlobStore } from '../src/blobs/blob-store.ts';
import { freeMemory } from '../src/lib/free-memory.ts';
import { listBlobs } from './list-blobs.ts';

/** A store under test; disposing removes its content. */
export interface BlobStoreUnderTest extends AsyncDisposable {
  readonly store: BlobStore;
}

const MANY_KEYS = 130;
const never = new AbortController().signal;
const key = parseBlobKey;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Contract of every blob store; `make` gives an empty one. */
export function describeBlobStore(name: string, make: () => Promise<BlobStoreUnderTest>): void {
  describe(`${name} as a blob store`, () => {
    let made: BlobStoreUnderTest;
    let store: BlobStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(async () => {
      await made[Symbol.asyncDispose]();
    });

    const textOf = async (name: string): Promise<string | undefined> => {
      const bytes = await store.get(key(name), never);
      return bytes && new TextDecoder().decode(bytes);
    };
    const put = async (name: string, text = name): Promise<void> => {
      // Many put at once, and each has a signal of its own, as requests have.
      await store.put(key(name), bytesOf(text), new AbortController().signal);
    };

    it('gives back the bytes that were put, also none at all', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
          await store.put(key('some/blob.bin'), bytes, never);
          expect(
            Buffer.compare((await store.get(key('some/blob.bin'), never)) ?? Buffer.from('?'), bytes),
          ).toBe(0);
        }),
        { numRuns: 20 },
      );
    });

    it('gives the caller bytes of its own, whose memory it may free', async () => {
      await put('a', 'kept');
      freeMemory((await store.get(key('a'), never)) ?? new Uint8Array());
      expect(await textOf('a')).toBe('kept');
    });

    it('takes bytes as they come, also when their buffer is used again', async () => {
      async function* letters(): AsyncGenerator<Uint8Array> {
        const buffer = new Uint8Array(1);
        for (const letter of bytesOf('streamed')) {
          buffer[0] = letter;
          yield buffer;
        }
      }
      await store.put(key('a'), letters(), never);
      expect(await textOf('a')).toBe('streamed');
    });

    it('knows nothing under a key that was never put', async () => {
      expect(await store.get(key('no/such/blob'), never)).toBeUndefined();
      expect(await store.get(key('nothing'), never)).toBeUndefined();
    });

    it('replaces what was under the key', async () => {
      await put('a', 'a rather long first text');
      await put('a', 'second');
      expect(await textOf('a')).toBe('second');
      expect(await listBlobs(store)).toMatchObject([{ key: 'a', sizeBytes: 6 }]);
    });

    it('keeps a key and the keys below it apart', async () => {
      await put('a/b');
      await put('a');
      await put('a/b/c');
      expect(await keys(store)).toEqual(['a', 'a/b', 'a/b/c']);
      expect(await textOf('a')).toBe('a');
      expect(await store.delete(key('a'), never)).toBe(true);
      expect(await keys(store)).toEqual(['a/b', 'a/b/c']);
    });

    it('deletes once and says so', async () => {
      await put('a/b');
      expect(await store.delete(key('a/b'), never)).toBe(true);
      expect(await store.delete(key('a/b'), never)).toBe(false);
      expect(await store.delete(key('never/there'), never)).toBe(false);
      expect(await store.get(key('a/b'), never)).toBeUndefined();
      expect(await keys(store)).toEqual([]);
    });

    it('lets one of many concurrent puts of a key stand, whole', async () => {
      const texts = Array.from({ length: 20 }, (_, index) => String(index % 10).repeat(50_000 + index));
      await Promise.all(texts.map((text) => put('same', text)));
      expect(texts).toContain(await textOf('same'));
      expect(await keys(store)).toEqual(['same']);
    });

    it('shows a reader the old bytes or the new, never a mixture', async () => {
      const [old, next] = ['o'.repeat(300_000), 'n'.repeat(300_000)];
      await put('a', old);
      const puts = Promise.all(Array.from({ length: 10 }, (_, index) => put('a', index % 2 ? old : next)));
      for (let reads = 0; reads < 20; reads += 1) expect([old, next]).toContain(await textOf('a'));
      await puts;
    });

    it('leaves nothing of a put whose bytes fail midway, and the old bytes in place', async () => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield bytesOf('half');
        throw new Error('source broke');
      }
      await put('old', 'old');
      await expect(store.put(key('new'), failing(), never)).rejects.toThrow('source broke');
      await expect(store.put(key('old'), failing(), never)).rejects.toThrow('source broke');
      expect(await keys(store)).toEqual(['old']);
      expect(await textOf('old')).toBe('old');
    });

    it('leaves nothing of a put aborted while its source is silent, and closes the source', async () => {
      const abort = new AbortController();
      const source = silentSource(bytesOf('half'));
      const putting = store.put(key('new/blob'), source, abort.signal);
      await source.silent;
      abort.abort(new Error('client left'));
      await expect(putting).rejects.toThrow('client left');
      expect(source.isClosed()).toBe(true);
      expect(await keys(store)).toEqual([]);
    });

    it('does nothing under a signal that has aborted already', async () => {
      await put('a');
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(store.put(key('b'), bytesOf('b'), gone)).rejects.toThrow('gone');
      await expect(store.get(key('a'), gone)).rejects.toThrow('gone');
      await expect(store.delete(key('a'), gone)).rejects.toThrow('gone');
      await expect(store.check(gone)).rejects.toThrow('gone');
      await expect(listBlobs(store, '', gone)).rejects.toThrow('gone');
      expect(await keys(store)).toEqual(['a']);
    });

    it('lists size and time of change', async () => {
      const beforeMs = Date.now();
      await put('a', 'four');
      const [entry] = await listBlobs(store);
      expect(entry).toMatchObject({ key: 'a', sizeBytes: 4 });
      // File times come from a coarser clock, which may lag a tick behind.
      expect(Math.abs((entry?.modifiedAt.getTime() ?? 0) - beforeMs)).toBeLessThan(30_000);
    });

    it('lists in byte order of the keys, across folders', async () => {
      const names = ['a', 'a-b', 'a-b/c', 'a.b', 'a/b', 'a/b.c', 'a/b/c', 'a0', 'a_', 'aa/b', 'b'];
      for (const name of names.toReversed()) await put(name);
      expect(await keys(store)).toEqual(names);
    });

    it('lists what starts with the prefix, wherever it is cut', async () => {
      for (const name of ['images/ab/1', 'images/ab/2', 'images/ac/1', 'images', 'image', 'other'])
        await put(name);
      expect(await keys(store, 'images/a')).toEqual(['images/ab/1', 'images/ab/2', 'images/ac/1']);
      expect(await keys(store, 'images/ab/')).toEqual(['images/ab/1', 'images/ab/2']);
      expect(await keys(store, 'images')).toEqual(['images', 'images/ab/1', 'images/ab/2', 'images/ac/1']);
      expect(await keys(store, 'images/ab/2')).toEqual(['images/ab/2']);
      expect(await keys(store, 'none/')).toEqual([]);
    });

    it(`lists ${MANY_KEYS} keys in order, and stops when asked`, async () => {
      const names = Array.from(
        { length: MANY_KEYS },
        (_, index) => `${(index * 7919) % 13}/${(index * 31).toString(36)}`,
      );
      for (let start = 0; start < names.length; start += 50) {
        await Promise.all(names.slice(start, start + 50).map((name) => put(name, 'x')));
      }
      expect(await keys(store)).toEqual(names.toSorted());
      expect(await keys(store, '7/')).toEqual(names.filter((name) => name.startsWith('7/')).toSorted());
      const abort = new AbortController();
      const seen: string[] = [];
      await expect(async () => {
        for await (const entry of store.list('', abort.signal)) {
          seen.push(entry.key);
          if (seen.length === 100) abort.abort(new Error('enough'));
        }
      }).rejects.toThrow('enough');
      expect(seen).toHaveLength(100);
    });

    it('refuses whatever is no key', async () => {
      for (const text of [
        '',
        '.',
        '..',
        'a//b',
        '/a',
        'a/',
        'a/../b',
        '../a',
        '.tmp/x',
        'A',
        'ä',
        'a b',
        'a\0',
      ]) {
        // @ts-expect-error: text that was not checked is no key for the compiler either.
        await expect(store.put(text, bytesOf('x'), never)).rejects.toThrow(RangeError);
        // @ts-expect-error: as above.
        await expect(store.get(text, never)).rejects.toThrow(RangeError);
        // @ts-expect-error: as above.
        await expect(store.delete(text, never)).rejects.toThrow(RangeError);
      }
      expect(() => store.list('A', never)).toThrow(RangeError);
      expect(await keys(store)).toEqual([]);
    });

    it('passes its own check and shows nothing of it', async () => {
      await store.check(never);
      expect(await keys(store)).toEqual([]);
    });
  });
}

async function keys(store: BlobStore, prefix = ''): Promise<readonly BlobKey[]> {
  return (await listBlobs(store, prefix)).map((entry) => entry.key);
}

interface SilentSource extends AsyncIterable<Uint8Array> {
  /** Resolves when the reader waits for data that never comes. */
  readonly silent: Promise<void>;
  isClosed(): boolean;
}

function silentSource(first: Uint8Array): SilentSource {
  let closed = false;
  let asked = 0;
  let markSilent = (): void => undefined;
  const silent = new Promise<void>((resolve) => {
    markSilent = resolve;
  });
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: () => {
      asked += 1;
      if (asked === 1) return Promise.resolve({ value: first, done: false });
      markSilent();
      return new Promise(() => undefined);
    },
    return: async () => {
      closed = true;
      return { value: undefined, done: true };
    },
  };
  return { silent, isClosed: () => closed, [Symbol.asyncIterator]: () => iterator };
}
