import type { Lifecycle } from '../supervision/lifecycle.ts';

/** Something that paints pictures. */
export interface ImageEngine {
  /** The served name: `meta.model`, and what `model` may be on edits. */
  readonly model: string;
  /** Code points of a prompt that have an effect; the rest is cut off before the engine is asked. */
  readonly maxPromptCharacters: number;
  /** How many references one order may carry; more are refused before the engine is asked. */
  readonly maxReferences: number;
  readonly lifecycle: Lifecycle;
  /** Paints one picture; the signal stops the work. Failure of the engine is thrown as a Fault. */
  paint(order: ImageOrder, signal: AbortSignal): Promise<Painting>;
}

/** What is to be painted: every value in force, nothing left to default. */
export interface ImageOrder {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidanceScale: number;
  /** An unsigned 64-bit integer. */
  readonly seed: bigint;
  /** Clean PNGs (8-bit RGB, upright, without metadata) in the caller's order; none when painting from words alone. */
  readonly references: readonly Uint8Array[];
}

/** What an engine painted: not yet verified. */
export interface Painting {
  /** The encoded picture, in any format that can be decoded. */
  readonly bytes: Uint8Array;
  /** Time of the model. */
  readonly paintMs: number;
  /** Time spent on encoding inside the engine; 0 where it cannot be told apart. */
  readonly encodeMs: number;
  /** Words of the prompt that the model does not know, where it can tell. */
  readonly unknownWords?: number;
}
