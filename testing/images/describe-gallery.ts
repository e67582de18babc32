import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/faults/fault.ts';
import type { Gallery, GalleryQuery, StoredImage } from '../../src/images/gallery.ts';
import { newImageId } from '../../src/images/image-id.ts';
import { makeImage } from './make-image.ts';

const never = new AbortController().signal;
const RETENTION_DAYS = 30;

/**
 * Contract of every gallery; `make` gives an empty one that keeps images for 30 days and knows keys `web` and `app` of stacks
 * `shop` and `other`.
 */
export function describeGallery(name: string, make: () => Promise<Gallery>): void {
  describe(`${name} as a gallery`, () => {
    let gallery: Gallery;
    beforeEach(async () => {
      gallery = await make();
    });

    it('gives back what was kept', async () => {
      const image = makeImage({ route: 'edits', references: 3, seed: 0n, guidanceScale: 0.1 });
      const { png, ...values } = image;
      const stored = await gallery.keep(image, never);
      expect(stored).toMatchObject({ ...values, sizeBytes: png.byteLength });
      expect(stored.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(stored.expiresAt.getTime() - stored.createdAt.getTime()).toBe(RETENTION_DAYS * 86_400_000);
      expect(await gallery.find('shop', image.id, never)).toEqual(stored);
      expect(Buffer.from((await gallery.readPng('shop', image.id, never)) ?? [])).toEqual(png);
    });

    it.each([0n, 1n, 9223372036854775808n, 18446744073709551615n])(
      'keeps the seed %s exactly',
      async (seed) => {
        expect((await gallery.keep(makeImage({ seed }), never)).seed).toBe(seed);
      },
    );

    it('shows a stack nothing of another', async () => {
      const { id } = await gallery.keep(makeImage({ stackId: 'other' }), never);
      expect(await gallery.find('shop', id, never)).toBeUndefined();
      expect(await gallery.readPng('shop', id, never)).toBeUndefined();
      expect(await gallery.remove('shop', id, never)).toBe(false);
      expect(await list({ stackId: 'shop' })).toEqual([]);
      expect(await gallery.find('other', id, never)).toBeDefined();
    });

    it.each(['', 'img_', 'img_1', "'", `img_${'g'.repeat(32)}`, '../../etc/passwd', newImageId()])(
      'knows nothing of %s',
      async (id) => {
        expect(await gallery.find('shop', id, never)).toBeUndefined();
        expect(await gallery.readPng('shop', id, never)).toBeUndefined();
        expect(await gallery.remove('shop', id, never)).toBe(false);
      },
    );

    it('removes once, row and bytes', async () => {
      const { id } = await gallery.keep(makeImage(), never);
      expect(await gallery.remove('shop', id, never)).toBe(true);
      expect(await gallery.remove('shop', id, never)).toBe(false);
      expect(await gallery.find('shop', id, never)).toBeUndefined();
      expect(await gallery.readPng('shop', id, never)).toBeUndefined();
      expect(await list({ stackId: 'shop' })).toEqual([]);
    });

    it('lists newest first, page by page, each image once, also while others are kept', async () => {
      const kept = await keepMany(7);
      const newestFirst = kept.toSorted(newest).map(({ id }) => id);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await gallery.list({ stackId: 'shop', limit: 3, ...(cursor && { cursor }) }, never);
        seen.push(...page.images.map(({ id }) => id));
        cursor = page.nextCursor;
        await gallery.keep(makeImage(), never);
      } while (cursor !== undefined);
      // An image kept within the same millisecond as the end of a page may show.
      expect(seen.filter((id) => newestFirst.includes(id))).toEqual(newestFirst);
    });

    it('has no next page when the last one is exactly full', async () => {
      await keepMany(2);
      expect((await gallery.list({ stackId: 'shop', limit: 2 }, never)).nextCursor).toBeUndefined();
    });

    it('lists by key and by date', async () => {
      const web = await gallery.keep(makeImage(), never);
      const app = await gallery.keep(makeImage({ keyId: 'app' }), never);
      expect(await list({ stackId: 'shop', keyId: 'app' })).toEqual([app.id]);
      const [soonest, latest] = [web, app].map(({ createdAt }) => createdAt.getTime()).sort() as [
        number,
        number,
      ];
      expect(await list({ stackId: 'shop', createdFrom: new Date(latest + 1) })).toEqual([]);
      expect(await list({ stackId: 'shop', createdBefore: new Date(soonest) })).toEqual([]);
      const all = await list({
        stackId: 'shop',
        createdFrom: new Date(soonest),
        createdBefore: new Date(latest + 1),
      });
      expect(all.toSorted()).toEqual([web.id, app.id].toSorted());
    });

    it.each(['x', 'MTIz', '', Buffer.from(`9999999999999999.${newImageId()}`).toString('base64url')])(
      'refuses the cursor %s',
      async (cursor) => {
        const thrown = await gallery
          .list({ stackId: 'shop', cursor, limit: 1 }, never)
          .catch((e: unknown) => e);
        expect(thrown instanceof Fault && thrown.code).toBe('invalid-request');
      },
    );

    it('keeps nothing for a client that left', async () => {
      await expect(gallery.keep(makeImage(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
      expect(await list({ stackId: 'shop' })).toEqual([]);
    });

    async function keepMany(count: number): Promise<readonly StoredImage[]> {
      return await Promise.all(Array.from({ length: count }, () => gallery.keep(makeImage(), never)));
    }

    async function list(query: Omit<GalleryQuery, 'limit'>): Promise<readonly string[]> {
      return (await gallery.list({ ...query, limit: 100 }, never)).images.map(({ id }) => id);
    }
  });
}

function newest(one: StoredImage, other: StoredImage): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
}
