import type { Lifecycle } from '../supervision/lifecycle.ts';

/** Paints pictures. */
export interface ImageEngine {
  /** The public name: `meta.model`, and the value of `model` in edits. */
  readonly model: string;
  /** Code points of a prompt that have an effect; the rest is cut off. */
  readonly maxPromptCharacters: number;
  /** References per order; more are refused before the engine is called. */
  readonly maxReferences: number;
  readonly lifecycle: Lifecycle;
  /** Paints one picture; the signal stops it. Failures are faults. */
  paint(order: ImageOrder, signal: AbortSignal): Promise<Painting>;
}

/** A picture to paint, with all defaults applied. */
export interface ImageOrder {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidanceScale: number;
  /** An unsigned 64-bit integer. */
  readonly seed: bigint;
  /** Clean PNGs (8-bit RGB, upright, without metadata) in the caller's order; empty for generations. */
  readonly references: readonly Uint8Array[];
  /** Tells a server which span of a trace its work belongs to. */
  readonly traceparent?: string | undefined;
}

/** A painted picture, not yet verified. */
export interface Painting {
  /** In any format that can be decoded. */
  readonly bytes: Uint8Array;
  /** Time of the model. */
  readonly paintMs: number;
  /** Encoding time inside the engine; 0 if unknown. */
  readonly encodeMs: number;
  /** Words of the prompt that the model does not know, if it can tell. */
  readonly unknownWords?: readonly string[];
}
