import type { MeteredWork } from '../access/meter.ts';
import type { AnswerPace } from './answer-pace.ts';
import { AnswerTally } from './answer-tally.ts';
import type { Conversation } from './conversation.ts';
import type { TextEvent } from './text-event.ts';

type Batch = readonly TextEvent[];

export interface MeteredAsk extends MeteredWork {
  /** What the engine was sent. */
  readonly conversation: Conversation;
  /** Of an engine that was asked for an answer in one piece. */
  readonly pace: AnswerPace | undefined;
}

/**
 * An engine's answer whose tokens are told to the meter, however it ends. Not a generator: those cost more per batch,
 * and one that was never started would not notice that it is closed.
 */
export class MeteredAnswer implements AsyncIterableIterator<Batch> {
  readonly #batches: AsyncIterator<Batch>;
  readonly #signal: AbortSignal;
  readonly #tally: AnswerTally;
  #isAsked = false;

  constructor(batches: AsyncIterable<Batch>, { conversation, meter, signal, pace }: MeteredAsk) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#tally = new AnswerTally(conversation, meter, pace);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Batch>> {
    this.#isAsked = true;
    return this.#batches.next().then(this.#pass, this.#fail);
  }

  async return(): Promise<IteratorResult<Batch>> {
    if (this.#isAsked) this.#tally.endEarly();
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }

  readonly #pass = (result: IteratorResult<Batch>): IteratorResult<Batch> => {
    if (result.done === true) this.#tally.endEarly();
    else this.#tally.count(result.value);
    return result;
  };

  readonly #fail = (error: unknown): never => {
    // An engine that fails before its first word is not paid for; one that was left by its client has worked.
    if (this.#tally.hasWords || this.#signal.aborted) this.#tally.endEarly();
    throw error;
  };
}
