import { type ErasedKind, Eraser, type Erasure } from '../store/eraser.ts';
import type { ErasureTarget } from '../store/erasure-target.ts';
import type { OperatorStorage } from './operator-storage.ts';

/** Erases images or files and records the erasure. */
export async function erase(
  kind: ErasedKind,
  target: ErasureTarget,
  { pool, blobs, operator, signal }: OperatorStorage,
): Promise<Erasure> {
  return await new Eraser({ kind, pool, blobs, operator }).erase(target, signal);
}
