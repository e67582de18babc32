import type { OpenAiConfig } from '../../../config/config.ts';

/** Tokens are counted by the tokenizer of one kind of server or another, or by having the model write one. */
export type CountingMethod = Exclude<OpenAiConfig['tokenize'], 'auto'>;
type Tokenizer = Exclude<CountingMethod, 'probe'>;

const TOKENIZERS: readonly Tokenizer[] = ['vllm', 'llama-server'];

/** How soon a tokenizer is tried again that failed where a probe did not: one that has worked before, and one that never has. */
const FAILED_ONCE_MS = 10_000;
const NEVER_WORKED_MS = 60_000;

/** In which order the ways to count are worth trying. A probe costs what an answer does: it never takes the place of a tokenizer for good. */
export class CountingMethods {
  readonly #tokenizers: readonly Tokenizer[];
  readonly #nowMs: () => number;
  /** The one that worked last. */
  #proven: Tokenizer | undefined;
  /** Until then a probe comes first; absent while no tokenizer is in doubt. */
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
    // One count finds out; those that come meanwhile do not wait for a tokenizer that may hang.
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
