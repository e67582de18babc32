import { beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { HeldClock } from '../../testing/held-clock.ts';
import { FREE_DISK_FLOOR_BYTES, StorageRoom } from './storage-room.ts';

const bounded = makeCaller({ limits: { storageBytes: 100 } });
const free = makeCaller({ stack: { id: 'free' } });

let clock: HeldClock;
let stored: number;
let reads: number;
let freeBytes: number | undefined;
let room: StorageRoom;

beforeEach(() => {
  clock = new HeldClock();
  [stored, reads, freeBytes] = [0, 0, undefined];
  const storedBytes = async () => {
    reads++;
    return stored;
  };
  room = new StorageRoom({ book: { storedBytes }, clock, freeBytes: async () => freeBytes });
});

const quotaExceeded = { code: 'storage-quota-exceeded', status: 429 };

describe('the room of a stack', () => {
  it('does not query without a quota', async () => {
    stored = 1e15;
    await room.take(free, 1e12);
    expect(reads).toBe(0);
  });

  it('ends exactly at the quota', async () => {
    stored = 60;
    await expect(room.take(bounded, 41)).rejects.toMatchObject(quotaExceeded);
    await room.take(bounded, 40);
    await expect(room.take(bounded, 1)).rejects.toMatchObject(quotaExceeded);
  });

  it('lets one item of unknown size exceed it, but not the next one', async () => {
    stored = 99;
    await room.take(bounded, 0);
    stored = 140;
    clock.advance(5_000);
    await expect(room.take(bounded, 0)).rejects.toMatchObject(quotaExceeded);
  });

  it('counts what is being stored, and reads the sum again afterwards', async () => {
    const first = await room.take(bounded, 80);
    await expect(room.take(bounded, 30)).rejects.toMatchObject(quotaExceeded);
    stored = 80;
    first[Symbol.dispose]();
    await room.take(bounded, 20);
    await expect(room.take(bounded, 30)).rejects.toMatchObject(quotaExceeded);
  });

  it('is not read at every request, but always before a refusal', async () => {
    await room.take(bounded, 0);
    await room.take(bounded, 0);
    expect(reads).toBe(1);
    stored = 100;
    await room.take(bounded, 0);
    clock.advance(5_000);
    await expect(room.take(bounded, 0)).rejects.toMatchObject(quotaExceeded);
    stored = 50;
    await room.take(bounded, 0);
    expect(reads).toBe(3);
  });
});

describe('the room of the disk', () => {
  it('ends at a floor that is kept free, also for stacks without a quota', async () => {
    freeBytes = FREE_DISK_FLOOR_BYTES + 10;
    await room.take(free, 10);
    await expect(room.take(free, 11)).rejects.toMatchObject({ code: 'storage-full', status: 503 });
  });
});
