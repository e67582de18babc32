/** How many stop sequences a request may name. */
export const MAX_STOP_SEQUENCES = 4;

const LEAST_OUTPUT_TOKENS = 8_000;
/** The largest bound of an answer. */
export const MOST_OUTPUT_TOKENS = 16_000;

/** The output tokens that are reserved for an answer, whatever was asked for. */
export function outputTokens(asked: number | null | undefined): number {
  return Math.min(MOST_OUTPUT_TOKENS, Math.max(LEAST_OUTPUT_TOKENS, asked ?? LEAST_OUTPUT_TOKENS));
}
