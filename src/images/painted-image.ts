import type { ImageOrder } from './image-engine.ts';

/** An image that was painted, verified and stored. */
export interface PaintedImage {
  readonly id: string;
  readonly createdAt: Date;
  readonly model: string;
  /** The values actually used. */
  readonly order: Omit<ImageOrder, 'references'>;
  readonly png: Uint8Array;
  readonly timings: ImageTimings;
  /** Words of the prompt that the model does not know, if it can tell. */
  readonly unknownWords: readonly string[] | undefined;
}

export interface ImageTimings {
  readonly queueWaitMs: number;
  /** Absent without references. */
  readonly decodeMs: number | undefined;
  readonly paintMs: number;
  readonly encodeMs: number;
}
