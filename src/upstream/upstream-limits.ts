/** How long a connection to a server may take over what. */
export interface UpstreamLimits {
  readonly connectMs: number;
  /** Silence in the midst of an answer. */
  readonly silenceMs: number;
  /** Under the 5 s after which uvicorn and llama-server close an idle connection. */
  readonly idleConnectionMs: number;
}
