/** Ways to break an exchange: none of them can end in a whole, well-formed reply. */
export type Breakage =
  | 'reset-before-headers'
  | 'reset-mid-stream'
  | 'stall-before-headers'
  | 'stall-mid-stream'
  | 'status'
  | 'garbage-json'
  | 'garbage-sse'
  | 'truncated-body'
  | 'no-finish-reason'
  | 'error-event';

/** Ways of real servers to answer oddly, or slowly, but in full. */
export type Quirk =
  | 'slow-headers'
  | 'missing-done'
  | 'null-fragments'
  | 'usage-in-every-chunk'
  | 'usage-at-the-end'
  | 'no-role-chunk'
  | 'finish-merged-with-text'
  | 'huge-event'
  | 'invalid-utf8';

export type FailureMode = Breakage | Quirk;

/** A mode with its settings; each setting counts for the modes it names. */
export interface Failure {
  readonly mode: FailureMode;
  /** reset-, stall-mid-stream, truncated-body: events sent before; half of them unless said. Whole bodies are cut in half. */
  readonly afterEvents?: number;
  /** slow-headers: 200 unless said. */
  readonly delayMs?: number;
  /** status: 500 unless said. */
  readonly status?: number;
  /** status: what the body is; JSON unless said. JSON and HTML carry UPSTREAM_DETAIL. */
  readonly body?: 'json' | 'html' | 'empty';
  /** status: a name that the JSON mentions. */
  readonly param?: string;
  /** status: the value of the retry-after header. */
  readonly retryAfter?: number | string;
}

export const BREAKAGES: readonly Breakage[];
export const QUIRKS: readonly Quirk[];

/** A text that only the fake says, so that a test can show that it never reaches a client. */
export const UPSTREAM_DETAIL: string;
