import type { OpenAiConfig } from '../../../config/config.ts';

/** `probe`: the model writes one token; all others: the tokenizer of one kind of server. */
export type CountingMethod = Exclude<OpenAiConfig['tokenize'], 'auto'>;
type Tokenizer = Exclude<CountingMethod, 'probe'>;

const TOKENIZERS: readonly Tokenizer[] = ['vllm', 'llama-server'];

/** When a tokenizer is tried again after it failed but a probe worked: if it has worked before, and if it never has. */
const FAILED_ONCE_MS = 10_000;
const NEVER_WORKED_MS = 60_000;

/** The order in which to try counting methods. A probe costs as much as an answer, so it never replaces a tokenizer for good. */
export class CountingMethods {
  readonly #tokenizers: readonly Tokenizer[];
  readonly #nowMs: () => number;
  /** The tokenizer that worked last. */
  #proven: Tokenizer | undefined;
  /** Until then a probe is tried first; undefined unless the tokenizers failed. */
  #tryAgainMs: number | undefined;

  constructor(tokenize: OpenAiConfig['tokenize'], nowMs: () => number) {
    this.#tokenizers = TOKENIZERS.filter((one) => tokenize === 'auto' || tokenize === one);
    this.#nowMs = nowMs;
  }

  get proven(): Tokenizer | undefined {
    return this.#proven;
  }

  next(): readonly CountingMethod[] {
    const first = this.#proven === undefined ? [] : [this.#proven];
    const tokenizers = [...new Set([...first, ...this.#tokenizers])];
    if (this.#tryAgainMs === undefined) return [...tokenizers, 'probe'];
    if (this.#nowMs() < this.#tryAgainMs) return ['probe', ...tokenizers];
    // One count tries them again; meanwhile other counts do not wait for a tokenizer that may hang.
    this.doubt();
    return [...tokenizers, 'probe'];
  }

  worked(method: CountingMethod): void {
    if (method === 'probe') return;
    this.#proven = method;
    this.#tryAgainMs = undefined;
  }

  /** No tokenizer worked, but a probe did. */
  doubt(): void {
    this.#tryAgainMs = this.#nowMs() + (this.#proven === undefined ? NEVER_WORKED_MS : FAILED_ONCE_MS);
  }
}
