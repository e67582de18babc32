/** Maximum number of stop sequences in a request. */
export const MAX_STOP_SEQUENCES = 4;

/** Bounds of the tokens reserved for an answer. */
export const LEAST_OUTPUT_TOKENS = 8_000;
export const MOST_OUTPUT_TOKENS = 16_000;

/** The output tokens to reserve: the requested number within the bounds. */
export function outputTokens(asked: number | null | undefined): number {
  return Math.min(MOST_OUTPUT_TOKENS, Math.max(LEAST_OUTPUT_TOKENS, asked ?? LEAST_OUTPUT_TOKENS));
}
