import type { EngineState } from '../supervision/lifecycle.ts';

/** An engine's metric label and state. */
export type NamedState = readonly [name: string, state: EngineState];

/** A queue's name and length. */
export type QueueDepth = readonly [name: string, waiting: number];

/** A capability of the gateway with everything that runs for it. Modules start in order and stop in reverse order. */
export interface GatewayModule {
  /** Its engines. */
  states?(): readonly NamedState[];
  queueDepths?(): readonly QueueDepth[];
  /** Finishes what an earlier process left, before the gateway listens. */
  prepare?(): Promise<void>;
  /** Starts background work once the gateway listens. */
  start?(): void;
  /** Stops everything; the signal aborts when the grace period is over. */
  stop(signal: AbortSignal): Promise<void>;
}
