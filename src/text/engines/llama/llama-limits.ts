/** The bounds of the embedded engine. */
export interface LlamaLimits {
  /** Answers that wait in the queue, in total and per stack; further ones are refused. */
  readonly maxWaiting: number;
  readonly maxWaitingPerStack: number;
  /** Counts that run beside the answers. */
  readonly countsAtOnce: number;
  readonly maxWaitingCounts: number;
  readonly maxWaitingCountsPerStack: number;
  /** Longer prompts are counted in a separate process. */
  readonly longPromptTokens: number;
  /** That process ends after this long without a long prompt. */
  readonly longCountsIdleMs: number;
  /** Batches of one answer that wait for the reader. */
  readonly streamWindow: number;
  /** A child silent for this long is killed; a batch of a long prompt takes seconds on a busy core. */
  readonly silenceMs: number;
  /** Large files on slow disks take minutes to load. */
  readonly startTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly stopGraceMs: number;
  /** How long the tokens read of a conversation stay in memory. */
  readonly contextIdleMs: number;
  readonly maxCandidates: number;
  readonly maxCandidateCharacters: number;
}

export const llamaLimits: LlamaLimits = {
  maxWaiting: 256,
  maxWaitingPerStack: 64,
  countsAtOnce: 4,
  maxWaitingCounts: 1_024,
  maxWaitingCountsPerStack: 256,
  longPromptTokens: 16 * 1024,
  longCountsIdleMs: 60_000,
  streamWindow: 64,
  silenceMs: 180_000,
  startTimeoutMs: 600_000,
  cancelGraceMs: 120_000,
  stopGraceMs: 5_000,
  contextIdleMs: 60_000,
  maxCandidates: 50_000,
  maxCandidateCharacters: 4 * 1024 * 1024,
};
