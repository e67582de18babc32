import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';
import { mostRemovals, removeBlobs } from './remove-blobs.ts';

const keys = Array.from({ length: 30 }, (_, index) => parseBlobKey(`images/ab/${index}.png`));

it('removes a few at a time, and tells of each', async () => {
  let running = 0;
  let most = 0;
  const remove = async (key: BlobKey) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (key === keys[9]) throw new Error('SlowDown');
    return key !== keys[0];
  };
  const results = await removeBlobs({ delete: remove }, keys, new AbortController().signal);
  expect(most).toBe(8);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual(
    keys.map((_, index) => (index === 9 ? 'failed' : index > 0)),
  );
});

it('puts no listeners on the signal of the caller, and ends all removals with it', async () => {
  const { signal, abort } = abortable();
  let most = 0;
  const remove = (_key: BlobKey, own: AbortSignal) =>
    new Promise<boolean>((_resolve, reject) => {
      for (let request = 0; request < 2; request++)
        own.addEventListener('abort', () => reject(own.reason), { once: true });
      most = Math.max(most, getEventListeners(own, 'abort').length);
      if (own === signal) throw new Error('the signal of the caller');
      queueMicrotask(abort);
    });
  await expect(removeBlobs({ delete: remove }, keys, signal)).rejects.toThrow('left');
  expect([most, getEventListeners(signal, 'abort').length]).toEqual([2, 0]);
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('left')) };
}

it('tells how many removals end in time even if the store hangs: eight at once, half a minute each', () => {
  expect([29_999, 30_000, 59_999, 270_000].map(mostRemovals)).toEqual([0, 8, 8, 72]);
});
