import type { Conversation } from '../../src/text/conversation.ts';
import { type Reply, ReplyCollector } from '../../src/text/reply.ts';
import type { AnswerSink, AskOptions, EngineAnswer, TextEngine } from '../../src/text/text-engine.ts';
import type { TextEvent } from '../../src/text/text-event.ts';

type Batch = readonly TextEvent[];

interface ReadOptions extends AskOptions {
  readonly signal: AbortSignal;
}

/** Buffered characters before the engine is paused. */
const MOST_CHARACTERS = 256 * 1024;

/** An engine's answer, batch by batch. Leaving the loop, or aborting the signal, stops it. */
export function answerOf(
  engine: Pick<TextEngine, 'ask'>,
  conversation: Conversation,
  { signal, ...options }: ReadOptions,
): AnswerBatches {
  return new AnswerBatches((sink) => engine.ask(conversation, options, sink), signal);
}

/** Collects the whole reply. */
export async function collectReply(batches: AsyncIterable<Batch>): Promise<Reply> {
  const collector = new ReplyCollector();
  for await (const batch of batches) for (const event of batch) collector.add(event);
  return collector.reply();
}

/** An answer that is read batch by batch. */
export class AnswerBatches implements AsyncIterableIterator<Batch>, AnswerSink {
  readonly #answer: EngineAnswer;
  readonly #signal: AbortSignal;
  #events: TextEvent[] = [];
  #characters = 0;
  #failure: { readonly error: unknown } | undefined;
  #hasBegun = false;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(open: (sink: AnswerSink) => EngineAnswer, signal: AbortSignal) {
    this.#answer = open(this);
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    if (!this.#hasBegun) this.#begin();
    while (this.#events.length === 0 && this.#failure === undefined && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#events.length === 0) {
      const failure = this.#failure;
      this.#close();
      if (failure !== undefined) throw failure.error;
      return { done: true, value: undefined };
    }
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    this.#answer.setFlowing(true);
    if (events.at(-1)?.type === 'finish') this.#close();
    return { done: false, value: events };
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#close();
    return { done: true, value: undefined };
  }

  onEvents(events: Batch): void {
    this.#events.push(...events);
    for (const event of events) if (event.type === 'block-delta') this.#characters += event.text.length;
    if (this.#characters > MOST_CHARACTERS) this.#answer.setFlowing(false);
    this.#wake();
  }

  onFailure(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#signal.throwIfAborted();
    this.#signal.addEventListener('abort', this.#onAbort);
    this.#answer.begin();
  }

  readonly #onAbort = (): void => {
    this.#answer.stop();
    this.#events = [];
    this.onFailure(this.#signal.reason);
  };

  #close(): void {
    this.#hasBegun = true;
    this.#isOver = true;
    this.#failure = undefined;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#answer.stop();
    this.#wake();
  }
}
