import type { EngineState } from '../supervision/lifecycle.ts';

/** An engine's name in metrics, and its state. */
export type NamedState = readonly [name: string, state: EngineState];

/** The name of something that work waits for, and how much waits. */
export type QueueDepth = readonly [name: string, waiting: number];

/** A capability of the gateway with everything that runs for it. Parts start in order, and stop in the other. */
export interface GatewayModule {
  /** The engines behind it. */
  states?(): readonly NamedState[];
  queueDepths?(): readonly QueueDepth[];
  /** Begins what runs in the background, once the gateway listens. */
  start?(): void;
  /** Ends everything; the signal's abort says that enough was waited. */
  stop(signal: AbortSignal): Promise<void>;
}
