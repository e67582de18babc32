/** Assumed until the first answer. */
const USUAL_TOKENS_PER_SECOND = 50;
/** Weight of the earlier answers when a new one is added. */
const KEPT_FRACTION = 0.9;
const MS_PER_SECOND = 1_000;

/** The speed at which an engine writes answers in one piece. Estimates the tokens of an answer that was aborted before it came. */
export class AnswerPace {
  #tokens = USUAL_TOKENS_PER_SECOND;
  #ms = MS_PER_SECOND;

  learn(tokens: number, ms: number): void {
    this.#tokens = this.#tokens * KEPT_FRACTION + tokens;
    this.#ms = this.#ms * KEPT_FRACTION + Math.max(1, ms);
  }

  /** Tokens written in this time. */
  tokensIn(ms: number): number {
    return Math.ceil((this.#tokens / this.#ms) * ms);
  }
}
