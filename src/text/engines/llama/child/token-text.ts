import type { Token } from 'node-llama-cpp';

/** Decodes tokens to text. */
export type Detokenize = (tokens: readonly Token[], before: readonly Token[]) => string;

/** A character takes at most this many tokens, one per byte. */
const MAX_CHARACTER_TOKENS = 4;
/** Preceding tokens that can change how a token is decoded. */
const CONTEXT_TOKENS = 4;
const INCOMPLETE = '\uFFFD';

/** Decodes tokens as they arrive, by whole characters. */
export class TokenText {
  readonly #detokenize: Detokenize;
  #pending: Token[] = [];
  #before: readonly Token[] = [];

  constructor(detokenize: Detokenize) {
    this.#detokenize = detokenize;
  }

  /** The text that this token completes. */
  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#detokenize(this.#pending, this.#before);
    if (text.endsWith(INCOMPLETE) && this.#pending.length < MAX_CHARACTER_TOKENS) return '';
    this.#before = [...this.#before, ...this.#pending].slice(-CONTEXT_TOKENS);
    this.#pending = [];
    return text;
  }

  /** The text still held back at the end, without an incomplete character. */
  flush(): string {
    if (this.#pending.length === 0) return '';
    const text = this.#detokenize(this.#pending, this.#before);
    this.#pending = [];
    return text.replace(/\uFFFD+$/, '');
  }
}
