/** Timeouts of a connection to a server. */
export interface UpstreamLimits {
  readonly connectMs: number;
  /** Silence in the middle of a response. */
  readonly silenceMs: number;
  /** Below the 5 s after which uvicorn and llama-server close an idle connection. */
  readonly idleConnectionMs: number;
}
