import type { ImageOrder } from './image-engine.ts';

/** What a caller asks for, with every default filled in but the seed. */
export interface ImageRequest extends Omit<ImageOrder, 'seed' | 'references'> {
  readonly route: 'generations' | 'edits';
  /** Absent: one is drawn. */
  readonly seed: bigint | undefined;
  /** Files as they came, in the caller's order; none on generations. */
  readonly files: readonly Uint8Array[];
}

/** The largest number that a seed may be. */
export const MAX_SEED = 2n ** 64n - 1n;
