import type { Token } from 'node-llama-cpp';

/** Makes text of tokens. */
export type Detokenize = (tokens: readonly Token[], before: readonly Token[]) => string;

/** A character takes at most this many tokens, one for each byte. */
const MAX_CHARACTER_TOKENS = 4;
/** How many tokens before it can change how one is written. */
const CONTEXT_TOKENS = 4;
const INCOMPLETE = '\uFFFD';

/** Turns tokens into text as they come, a character never before it is whole. */
export class TokenText {
  readonly #detokenize: Detokenize;
  #pending: Token[] = [];
  #before: readonly Token[] = [];

  constructor(detokenize: Detokenize) {
    this.#detokenize = detokenize;
  }

  /** The text that is complete with this token. */
  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#detokenize(this.#pending, this.#before);
    if (text.endsWith(INCOMPLETE) && this.#pending.length < MAX_CHARACTER_TOKENS) return '';
    this.#before = [...this.#before, ...this.#pending].slice(-CONTEXT_TOKENS);
    this.#pending = [];
    return text;
  }

  /** What was held back at the end, without a character that never became whole. */
  flush(): string {
    if (this.#pending.length === 0) return '';
    const text = this.#detokenize(this.#pending, this.#before);
    this.#pending = [];
    return text.replace(/\uFFFD+$/, '');
  }
}
