/** What is believed before the first answer. */
const USUAL_TOKENS_PER_SECOND = 50;
/** How much of what was learnt an answer leaves in place. */
const KEPT_SHARE = 0.9;
const MS_PER_SECOND = 1_000;

/** How fast an engine makes answers that come in one piece: of one that nobody waited for, this is all there is to go by. */
export class AnswerPace {
  #tokens = USUAL_TOKENS_PER_SECOND;
  #ms = MS_PER_SECOND;

  learn(tokens: number, ms: number): void {
    this.#tokens = this.#tokens * KEPT_SHARE + tokens;
    this.#ms = this.#ms * KEPT_SHARE + Math.max(1, ms);
  }

  /** The tokens of so much time. */
  tokensIn(ms: number): number {
    return Math.ceil((this.#tokens / this.#ms) * ms);
  }
}
