import { type ErasedKind, Eraser, type Erasure, type ErasureTarget } from '../store/eraser.ts';
import { FileRecords } from '../store/file-records.ts';
import { ImageRecords } from '../store/image-records.ts';
import type { OperatorStorage } from './operator-storage.ts';

/** Erases images or files and records the erasure. */
export async function erase(
  kind: ErasedKind,
  target: ErasureTarget,
  { pool, blobs, operator, signal }: OperatorStorage,
): Promise<Erasure> {
  const records = kind === 'image' ? new ImageRecords(pool) : new FileRecords(pool);
  return await new Eraser({ kind, pool, records, blobs, operator }).erase(target, signal);
}
