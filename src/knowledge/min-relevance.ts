/**
 * Chunks below this are not considered answers. On XQuAD 89 % (German) to 98 % (English) of the questions with an answer stay
 * above it, and 12 % to 23 % of those without: bench/RESULTS.md has the trade-off.
 */
export const MIN_RELEVANCE = 0.25;
