/** `paused`: not running, the next request wakes it. `degraded`: keeps failing and is being retried. */
export type EngineState = 'starting' | 'ready' | 'degraded' | 'paused';

/** The state of anything that is started and kept alive. */
export interface Lifecycle {
  readonly state: EngineState;
  /** The reason for waiting, such as a download, in words for callers; absent if the state says it all. */
  readonly wait?: string | undefined;
  /** Wakes it if needed; resolves once it accepts requests. */
  ready(signal: AbortSignal): Promise<void>;
}
