import type { ImageOrder } from './image-engine.ts';

/** An image that was painted, verified and stored. */
export interface PaintedImage {
  readonly id: string;
  readonly createdAt: Date;
  readonly model: string;
  /** What was really painted. */
  readonly order: Omit<ImageOrder, 'references'>;
  readonly png: Uint8Array;
  readonly timings: ImageTimings;
  /** Words of the prompt that the model does not know, where it can tell. */
  readonly unknownWords: number | undefined;
}

export interface ImageTimings {
  readonly queueWaitMs: number;
  /** Absent where there were no references. */
  readonly decodeMs: number | undefined;
  readonly paintMs: number;
  readonly encodeMs: number;
}
