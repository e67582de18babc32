import { expect, it } from 'vitest';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import { Fault } from '../faults/fault.ts';
import { readBlob } from './read-blob.ts';

const key = parseBlobKey('images/ab/one.png');
const never = new AbortController().signal;

it('gives the bytes, and undefined where there are none', async () => {
  const blobs = new BrokenBlobStore();
  expect(await readBlob(blobs, key)).toBeUndefined();
  await blobs.put(key, Buffer.from('some bytes'), never);
  expect(Buffer.from((await readBlob(blobs, key, never)) ?? []).toString()).toBe('some bytes');
});

it('says 503 with a delay when the storage fails, and keeps the cause for the log', async () => {
  const blobs = new BrokenBlobStore();
  blobs.getFailure = new Error('SlowDown');
  const fault = await readBlob(blobs, key, never).catch((error: unknown) => error);
  expect(fault instanceof Fault && [fault.code, fault.status, fault.retryAfterSeconds, fault.cause]).toEqual([
    'storage-away',
    503,
    5,
    blobs.getFailure,
  ]);
});

it('does not blame the storage when the client left', async () => {
  const blobs = new BrokenBlobStore();
  blobs.getFailure = new Error('aborted');
  const left = AbortSignal.abort(new Error('left'));
  await expect(readBlob(blobs, key, left)).rejects.toThrow('left');
});
