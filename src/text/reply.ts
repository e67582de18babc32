import { AnswerTooLarge } from './answer-too-large.ts';
import type { FoundPassage } from './found-passage.ts';
import type { AnswerSink, EngineAnswer } from './text-engine.ts';
import type { Block, FinishReason, TextEvent, Usage, WrittenToken } from './text-event.ts';

/** A whole answer. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  readonly reason: FinishReason;
  readonly stopSequence: string | undefined;
  readonly usage: Usage;
  /** The model of the engine that replaced the stack's own, if one did. */
  readonly standIn?: string | undefined;
  /** All tokens written, if probabilities were asked for and the engine tells them. */
  readonly tokens?: readonly WrittenToken[] | undefined;
  /** The passages of the knowledge base that the prompt quotes, if they were asked for. */
  readonly knowledge?: readonly FoundPassage[] | undefined;
}

/** A complete block. */
export interface ReplyBlock {
  readonly block: Block;
  readonly text: string;
}

/** The text of an answer that is nothing else; `undefined` if it has other blocks, several, or passages. */
export function onlyText({ blocks, knowledge }: Reply): string | undefined {
  const [first] = blocks;
  const isText = blocks.length === 1 && first?.block.type === 'text' && knowledge === undefined;
  return isText ? first.text : undefined;
}

/** Collects events into a whole answer. */
export class ReplyCollector {
  readonly #blocks: ReplyBlock[] = [];
  #open: Block | undefined;
  #text = '';
  #standIn: string | undefined;
  #reply: Reply | undefined;

  add(event: TextEvent): void {
    switch (event.type) {
      case 'start':
        this.#standIn = event.standIn;
        break;
      case 'block-start':
        this.#open = event.block;
        this.#text = '';
        break;
      case 'block-delta':
        this.#text += event.text;
        break;
      case 'block-end':
        if (this.#open !== undefined) this.#blocks.push({ block: this.#open, text: this.#text });
        this.#open = undefined;
        break;
      case 'finish':
        this.#reply = {
          blocks: this.#blocks,
          reason: event.reason,
          stopSequence: event.stopSequence,
          usage: event.usage,
          standIn: this.#standIn,
          tokens: event.tokens,
          knowledge: event.knowledge,
        };
        break;
    }
  }

  reply(): Reply {
    if (this.#reply === undefined) throw new Error('the engine ended without a finish event');
    return this.#reply;
  }
}

/** A sink that collects one answer. */
export class ReplySink implements AnswerSink {
  readonly #collector = new ReplyCollector();
  readonly #mostCharacters: number;
  #characters = 0;
  #answer: EngineAnswer | undefined;
  #resolve: (reply: Reply) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(mostCharacters = Number.POSITIVE_INFINITY) {
    this.#mostCharacters = mostCharacters;
  }

  /** Begins the answer, and stops it when the signal aborts. */
  async reply(answer: EngineAnswer, signal: AbortSignal): Promise<Reply> {
    this.#answer = answer;
    const abort = () => {
      answer.stop();
      this.#reject(signal.reason);
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        signal.throwIfAborted();
        signal.addEventListener('abort', abort);
        answer.begin();
      });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  onEvents(events: readonly TextEvent[]): void {
    for (const event of events) {
      if (event.type === 'block-delta') this.#characters += event.text.length;
      this.#collector.add(event);
    }
    if (this.#characters > this.#mostCharacters) {
      this.#answer?.stop();
      this.#reject(new AnswerTooLarge('the answer is too long'));
    } else if (events.at(-1)?.type === 'finish') this.#resolve(this.#collector.reply());
  }

  onFailure(error: unknown): void {
    this.#reject(error);
  }
}
