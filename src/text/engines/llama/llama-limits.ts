export type LlamaLimits = Readonly<typeof llamaLimits>;

/** The bounds of the embedded engine; tests lower them. */
export const llamaLimits = {
  /** Answers that wait in the queue, in total and per stack; further ones are refused. */
  maxWaiting: 256,
  maxWaitingPerStack: 64,
  /** Counts that run beside the answers. */
  countsAtOnce: 4,
  maxWaitingCounts: 1_024,
  maxWaitingCountsPerStack: 256,
  /** Longer prompts are counted in a separate process. */
  longPromptTokens: 16 * 1024,
  /** That process ends after this long without a long prompt. */
  longCountsIdleMs: 60_000,
  /** Batches of one answer that wait for the reader. */
  streamWindow: 64,
  /** A child silent for this long is killed; a batch of a long prompt takes seconds on a busy core. */
  silenceMs: 180_000,
  /** Large files on slow disks take minutes to load. */
  startTimeoutMs: 600_000,
  cancelGraceMs: 120_000,
  stopGraceMs: 5_000,
  /** How long the tokens read of a conversation stay in memory. */
  contextIdleMs: 60_000,
  maxCandidates: 50_000,
  maxCandidateCharacters: 4 * 1024 * 1024,
};
