/** What is told of usage, for metrics. */
export interface UsageObserver {
  tokensUsed(promptTokens: number, completionTokens: number): void;
  /** A batch could not be written; it is tried again. */
  batchFailed(): void;
}
