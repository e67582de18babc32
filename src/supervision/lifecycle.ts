/** `paused`: not running, the next request wakes it. `degraded`: it keeps failing, and is still being retried. */
export type EngineState = 'starting' | 'ready' | 'degraded' | 'paused';

/** What can be known of, and asked from, anything that is started and kept alive. */
export interface Lifecycle {
  readonly state: EngineState;
  /** What it is waiting for, such as a download, in words for callers; absent where the state says it all. */
  readonly wait?: string | undefined;
  /** Wakes it where needed, and resolves once it takes requests. */
  ready(signal: AbortSignal): Promise<void>;
}
