import type { ImageOrder } from './image-engine.ts';

/** A validated request with all defaults but the seed. */
export interface ImageRequest extends Omit<ImageOrder, 'seed' | 'references'> {
  readonly route: 'generations' | 'edits';
  /** Absent: random. */
  readonly seed: bigint | undefined;
  /** Uploaded files in the caller's order; empty for generations. */
  readonly files: readonly Uint8Array[];
}

export const MAX_SEED = 2n ** 64n - 1n;
