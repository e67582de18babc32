import type { AnswerSink } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import type { ChatAnswer } from './chat-answer.ts';

export interface AnswerStreamOptions {
  readonly open: (sink: AnswerSink) => ChatAnswer;
  readonly bufferedCharacters: number;
  readonly signal: AbortSignal;
}

type Batch = readonly TextEvent[];

/** What an event weighs besides its text. */
const EVENT_CHARACTERS = 32;

/** An answer for those who ask for one batch after the other. What came and was not taken is bounded: above it the socket is not read. */
export class AnswerStream implements AsyncIterableIterator<Batch>, AnswerSink {
  readonly #options: AnswerStreamOptions;
  readonly #answer: ChatAnswer;
  #events: TextEvent[] = [];
  #characters = 0;
  #failure: { readonly error: unknown } | undefined;
  #hasBegun = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
    this.#answer = options.open(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    if (!this.#hasBegun) this.#begin();
    for (;;) {
      const batch = this.#take();
      if (batch !== undefined) return { done: false, value: batch };
      if (this.#failure !== undefined) {
        const { error } = this.#failure;
        this.#close();
        throw error;
      }
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#hasBegun = true;
    this.#close();
    return { done: true, value: undefined };
  }

  onEvents(events: Batch): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += EVENT_CHARACTERS + (event.type === 'block-delta' ? event.text.length : 0);
    }
    if (this.#characters > this.#options.bufferedCharacters) this.#answer.setFlowing(false);
    this.#changed();
  }

  onFailure(error: unknown): void {
    this.#failure = { error };
    this.#changed();
  }

  #begin(): void {
    this.#hasBegun = true;
    const { signal } = this.#options;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.#onAbort);
    this.#answer.begin();
  }

  /** What can be given now. */
  #take(): Batch | undefined {
    const events = this.#events;
    if (events.length === 0) return undefined;
    this.#events = [];
    this.#characters = 0;
    this.#answer.setFlowing(true);
    if (events.at(-1)?.type === 'finish') this.#close();
    return events;
  }

  readonly #onAbort = (): void => {
    this.#answer.stop();
    this.#events = [];
    this.onFailure(this.#options.signal.reason);
  };

  #close(): void {
    this.#isOver = true;
    this.#failure = undefined;
    this.#events = [];
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#answer.stop();
    this.#changed();
  }

  #changed(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
