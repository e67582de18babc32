/** Failures: none of them can end in a complete, well-formed reply. */
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

/** Odd or slow but complete answers of real servers. */
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

/** A mode with its settings, which apply to the modes they name. */
export interface Failure {
  readonly mode: FailureMode;
  /** reset-, stall-mid-stream, truncated-body: events sent before; half of them by default. Whole bodies are cut in half. */
  readonly afterEvents?: number;
  /** slow-headers: 200 by default. */
  readonly delayMs?: number;
  /** status: 500 by default. */
  readonly status?: number;
  /** status: the kind of body; JSON by default. JSON and HTML contain UPSTREAM_DETAIL. */
  readonly body?: 'json' | 'html' | 'empty';
  /** status: a name mentioned in the JSON. */
  readonly param?: string;
  /** status: the retry-after header. */
  readonly retryAfter?: number | string;
}

export const BREAKAGES: readonly Breakage[];
export const QUIRKS: readonly Quirk[];

/** A unique text, so that tests can show that it never reaches a client. */
export const UPSTREAM_DETAIL: string;
