import { type LlamaModel, type Token, TokenBias } from 'node-llama-cpp';

/** Each time this many tokens too many were written, the end becomes more likely by a factor of e. */
const TOKENS_PER_STEP = 48;

/** Makes the end of an answer likelier the longer it is: the smallest models do not find it by themselves, and ramble. */
export class EndPressure {
  readonly #model: LlamaModel;
  readonly #afterTokens: number;
  readonly #endTokens: readonly Token[];
  readonly #none: TokenBias;

  constructor(model: LlamaModel, afterTokens: number) {
    this.#model = model;
    this.#afterTokens = afterTokens;
    this.#none = new TokenBias(model.tokenizer);
    this.#endTokens = [...model.iterateAllTokens()].filter((token) => model.isEogToken(token));
  }

  /** What the next token is drawn with, after so many. */
  bias(written: number): TokenBias {
    if (written <= this.#afterTokens) return this.#none;
    const bias = new TokenBias(this.#model.tokenizer);
    const logit = (written - this.#afterTokens) / TOKENS_PER_STEP;
    for (const token of this.#endTokens) bias.set(token, { logit });
    return bias;
  }
}
