/** Events of usage, for metrics. */
export interface UsageObserver {
  tokensUsed(promptTokens: number, completionTokens: number): void;
  /** A batch could not be written and is retried. */
  batchFailed(): void;
}
