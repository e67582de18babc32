import type { StorageRoom } from '../../src/access/storage-room.ts';
import { FileService } from '../../src/files/file-service.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { type WallClock, wallClock } from '../../src/lib/wall-clock.ts';
import { storageRoom } from '../storage-room.ts';
import { MemoryFileStore } from './memory-file-store.ts';

export interface FileServiceOptions {
  readonly store?: FileStore | undefined;
  readonly storage?: StorageRoom | undefined;
  readonly maxBytes?: number | undefined;
  readonly clock?: WallClock | undefined;
}

/** A file service in memory that keeps files for 30 days. */
export function fileService(options: FileServiceOptions = {}): FileService {
  return new FileService({
    store: options.store ?? new MemoryFileStore(),
    storage: options.storage ?? storageRoom(),
    maxBytes: options.maxBytes ?? 50 * 1024 * 1024,
    retentionDays: 30,
    clock: options.clock ?? wallClock,
  });
}
