import { type LlamaModel, type Token, TokenBias } from 'node-llama-cpp';

/** For each of these steps beyond the limit, the end becomes more likely by a factor of e. */
const TOKENS_PER_STEP = 48;

/** Makes the end of an answer more likely the longer it gets: the smallest models ramble otherwise. */
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

  /** The bias for the next token after so many. */
  bias(written: number): TokenBias {
    if (written <= this.#afterTokens) return this.#none;
    const bias = new TokenBias(this.#model.tokenizer);
    const logit = (written - this.#afterTokens) / TOKENS_PER_STEP;
    const biases = biasesOf(bias);
    for (const token of this.#endTokens) biases.set(token, logit);
    return bias;
  }
}

/** `set` of the binding silently leaves out tokens that end an answer, so they are put where it keeps the others. */
function biasesOf(bias: TokenBias): Map<Token, number> {
  const biases: unknown = Reflect.get(bias, '_biases');
  if (!(biases instanceof Map)) throw new Error('the binding keeps biases of tokens elsewhere');
  return biases;
}
