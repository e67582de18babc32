/** The bounds of the embedded engine. */
export interface LlamaLimits {
  /** Answers that wait for their turn, in all and of one stack; one more is refused. */
  readonly maxWaiting: number;
  readonly maxWaitingPerStack: number;
  /** Counts that are made beside the answers. */
  readonly countsAtOnce: number;
  readonly maxWaitingCounts: number;
  readonly maxWaitingCountsPerStack: number;
  /** Prompts that may have more tokens than this are counted in a process of their own. */
  readonly longPromptTokens: number;
  /** That process ends when no long prompt came for this long. */
  readonly longCountsIdleMs: number;
  /** Batches of one answer that wait for their reader. */
  readonly streamWindow: number;
  /** A child that reads or writes nothing for this long hangs; a batch of a long prompt takes seconds on a busy core. */
  readonly silenceMs: number;
  /** Large files on slow disks take minutes to load. */
  readonly startTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly stopGraceMs: number;
  /** How long what was read of a conversation stays in memory. */
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
