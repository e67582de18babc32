import { StorageRoom, type StorageRoomParts } from '../src/access/storage-room.ts';
import { systemClock } from '../src/lib/clock.ts';

/** Unlimited and empty, with overrides. */
export function storageRoom(parts: Partial<StorageRoomParts> = {}): StorageRoom {
  return new StorageRoom({
    book: { storedBytes: async () => 0 },
    clock: systemClock,
    freeBytes: async () => undefined,
    ...parts,
  });
}
