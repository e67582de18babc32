/** What a request may use up. */
export interface Used {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Pages read for extraction. */
  readonly pages: number;
  readonly images: number;
  readonly pdfPages: number;
}

/**
 * Keeps what one request uses, told by whoever does the work while it is done; whoever serves the request closes it,
 * however it ends, and then its use is recorded and its part of the token budget settled.
 */
export interface Meter {
  /**
   * Takes tokens out of the stack's budget before an engine is asked; throws `token-budget-exceeded` where nothing is left.
   * A request takes them once: what its later calls of an engine ask for changes nothing.
   */
  reserveTokens(expected: number): void | Promise<void>;
  add(used: Partial<Used>): void;
  /** Says which model served, as clients name it. */
  servedBy(model: string): void;
}

/** What work is done for: a request that is metered, and may go away. */
export interface MeteredWork {
  readonly meter: Meter;
  readonly signal: AbortSignal;
}
