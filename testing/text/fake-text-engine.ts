import type { EngineState } from '../../src/supervision/lifecycle.ts';
import type { Conversation } from '../../src/text/conversation.ts';
import { PulledAnswer } from '../../src/text/pulled-answer.ts';
import type {
  AnswerSink,
  AskOptions,
  CountOptions,
  EngineAnswer,
  TextEngine,
} from '../../src/text/text-engine.ts';
import type { TextEvent } from '../../src/text/text-event.ts';

/** A text engine scripted by a test. */
export class FakeTextEngine implements TextEngine {
  model = 'fake';
  readonly defaultTemperature = 0.7;
  contextWindow: number | undefined;
  documentDrafts: number | undefined;
  hasVision = false;
  state: EngineState = 'ready';
  wait: string | undefined;
  tokens = 10;
  /** Replaces `tokens`, by conversation. */
  countFor: ((conversation: Conversation) => number) | undefined;
  /** Whether it counts by writing a token. */
  isProbed = false;
  /** The stacks of its calls, counts included, oldest first. */
  readonly stacks: (string | undefined)[] = [];
  /** Oldest first. */
  readonly asked: Conversation[] = [];
  readonly counted: Conversation[] = [];
  /** The batches of the next answers; an Error among them is thrown there. */
  script: readonly (readonly TextEvent[] | Error)[] = textAnswer('Hello');
  /** Replaces `script`, by conversation. */
  scriptFor: ((conversation: Conversation) => FakeTextEngine['script']) | undefined;
  /** Awaited by the next answers before they start. */
  hold: Promise<void> | undefined;
  /** Where the next answers wait after their first batches. */
  pauseAfter: { readonly batches: number; readonly until: Promise<void> } | undefined;
  wake: (signal: AbortSignal) => Promise<void> = async () => {};

  readonly lifecycle = {
    owner: this as FakeTextEngine,
    get state(): EngineState {
      return this.owner.state;
    },
    get wait(): string | undefined {
      return this.owner.wait;
    },
    ready(signal: AbortSignal): Promise<void> {
      return this.owner.wake(signal);
    },
  };

  ask(conversation: Conversation, { stackId }: AskOptions, sink: AnswerSink): EngineAnswer {
    return new PulledAnswer((signal) => {
      this.asked.push(conversation);
      this.stacks.push(stackId);
      return this.#answer(this.scriptFor?.(conversation) ?? this.script, signal);
    }, sink);
  }

  async *#answer(
    script: FakeTextEngine['script'],
    signal: AbortSignal,
  ): AsyncGenerator<readonly TextEvent[]> {
    if (this.hold !== undefined) await this.hold;
    for (const [index, batch] of script.entries()) {
      if (index === this.pauseAfter?.batches) await this.pauseAfter.until;
      signal.throwIfAborted();
      if (batch instanceof Error) throw batch;
      yield batch;
    }
  }

  async countTokens(
    conversation: Conversation,
    _signal?: AbortSignal,
    { stackId, meter }: CountOptions = {},
  ): Promise<number> {
    if (this.isProbed) await meter?.reserveTokens(1);
    this.counted.push(conversation);
    this.stacks.push(stackId);
    if (this.isProbed) meter?.add({ promptTokens: this.tokens, completionTokens: 1 });
    return this.countFor?.(conversation) ?? this.tokens;
  }
}

/** The events of a plain answer, one batch each. */
export function textAnswer(text: string): readonly (readonly TextEvent[])[] {
  return [
    [{ type: 'start', promptTokens: 10 }],
    [{ type: 'block-start', block: { type: 'text' } }],
    [{ type: 'block-delta', text }],
    [{ type: 'block-end' }],
    [
      {
        type: 'finish',
        reason: 'stop',
        stopSequence: undefined,
        usage: { promptTokens: 10, completionTokens: 2 },
      },
    ],
  ];
}
