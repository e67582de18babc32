import type { MeteredWork } from '../access/meter.ts';
import type { Conversation } from './conversation.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { TextEvent } from './text-event.ts';

type Batch = readonly TextEvent[];

// What English text comes to with common tokenizers.
const CHARACTERS_PER_TOKEN = 4;

export interface MeteredAsk extends MeteredWork {
  /** What the engine was sent. */
  readonly conversation: Conversation;
}

/**
 * An engine's answer whose tokens are told to the meter, however it ends. Not a generator: those cost more per batch,
 * and one that was never started would not notice that it is closed.
 */
export class MeteredAnswer implements AsyncIterableIterator<Batch> {
  readonly #batches: AsyncIterator<Batch>;
  readonly #ask: MeteredAsk;
  #promptTokens: number | undefined;
  #deltas = 0;
  #characters = 0;
  #isAsked = false;
  #isTold = false;

  constructor(batches: AsyncIterable<Batch>, ask: MeteredAsk) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#ask = ask;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Batch>> {
    this.#isAsked = true;
    return this.#batches.next().then(this.#pass, this.#fail);
  }

  async return(): Promise<IteratorResult<Batch>> {
    if (this.#isAsked) this.#endEarly();
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }

  readonly #pass = (result: IteratorResult<Batch>): IteratorResult<Batch> => {
    if (result.done === true) this.#endEarly();
    else for (const event of result.value) this.#count(event);
    return result;
  };

  readonly #fail = (error: unknown): never => {
    // An engine that fails before its first word is not paid for; one that was left by its client has worked.
    if (this.#deltas > 0 || this.#ask.signal.aborted) this.#endEarly();
    throw error;
  };

  #count(event: TextEvent): void {
    if (event.type === 'block-delta') {
      this.#deltas++;
      this.#characters += event.text.length;
    } else if (event.type === 'start') this.#promptTokens = event.promptTokens;
    else if (event.type === 'finish') this.#tell(event.usage);
  }

  /** The tokens so far are an estimate: engines say the exact numbers only at the end. Most send a delta per token, some send several tokens at once. */
  #endEarly(): void {
    if (this.#isTold) return;
    this.#tell({
      promptTokens: this.#promptTokens ?? estimatedTokens(this.#ask.conversation),
      completionTokens: Math.max(this.#deltas, Math.ceil(this.#characters / CHARACTERS_PER_TOKEN)),
    });
  }

  #tell(usage: { readonly promptTokens: number; readonly completionTokens: number }): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#ask.meter.add(usage);
  }
}
