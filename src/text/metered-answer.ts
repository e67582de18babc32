import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import { toFault } from '../faults/fault.ts';
import type { PartSpan } from '../telemetry/request-trace.ts';
import { AnswerTally } from './answer-tally.ts';
import type { FoundPassage } from './found-passage.ts';
import type { Prompt } from './prompt-builder.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { AnswerSink, AskOptions, EngineAnswer, TextAnswer, TextEngine } from './text-engine.ts';
import type { FinishEvent, FinishReason, StartEvent, TextEvent } from './text-event.ts';

/** Lists that are told apart by what they are, so that the same is not written into bytes again. */
const FINISH_REASONS: Readonly<Record<FinishReason, readonly FinishReason[]>> = {
  stop: ['stop'],
  length: ['length'],
  'tool-calls': ['tool-calls'],
  refusal: ['refusal'],
};

export interface ShownKnowledge {
  /** Whether the finish event lists the passages that the prompt quotes. */
  readonly showsKnowledge?: boolean | undefined;
}

/** `conversation` is the one sent to the engine. */
export interface MeteredAnswerParts extends Prompt {
  readonly engine: TextEngine;
  /** The engine's model, if it replaces the stack's own engine. */
  readonly standIn: string | undefined;
  readonly caller: Caller;
  readonly meter: Meter;
  readonly options: Omit<AskOptions, 'stackId' | 'meter' | 'passthrough'> & ShownKnowledge;
}

/** One engine's answer. Passes its events to the sink and reports its tokens to the meter, however it ends. */
export class MeteredAnswer implements TextAnswer, AnswerSink {
  readonly #parts: MeteredAnswerParts;
  readonly #sink: AnswerSink;
  readonly #tally: AnswerTally;
  readonly #answer: EngineAnswer;
  readonly #span: PartSpan | undefined;
  #isRunning = false;

  constructor(parts: MeteredAnswerParts, sink: AnswerSink) {
    const { engine, conversation, passthrough, caller, meter, options } = parts;
    const { countFirst, inOnePiece, mostPieceBytes } = options;
    this.#parts = parts;
    this.#sink = sink;
    this.#tally = new AnswerTally(parts, meter, inOnePiece ? engine.pace : undefined);
    const stackId = caller.stack.id;
    this.#span = meter.trace?.start(`chat ${engine.model}`, 'client');
    const span = this.#span;
    const asked = { passthrough, countFirst, inOnePiece, mostPieceBytes, meter, stackId, span };
    this.#answer = engine.ask(conversation, asked, this);
  }

  get passages(): readonly FoundPassage[] {
    return this.#parts.passages;
  }

  begin(): void {
    this.#isRunning = true;
    this.#answer.begin();
  }

  /** The work of an engine that is stopped counts. */
  stop(): void {
    this.#answer.stop();
    if (this.#isRunning) this.#tally.endEarly();
    this.#isRunning = false;
    this.#endSpan(undefined, 'stopped');
  }

  setFlowing(isFlowing: boolean): void {
    this.#answer.setFlowing(isFlowing);
  }

  async start(signal: AbortSignal): Promise<StartEvent> {
    const { engine, conversation, passthrough, meter, caller, standIn } = this.#parts;
    let promptTokens: number;
    try {
      const options = { passthrough, meter, stackId: caller.stack.id, span: this.#span };
      promptTokens = await engine.countTokens(conversation, signal, options);
    } catch {
      // Usually the server that counts has failed, and the answer reports that failure.
      promptTokens = estimatedTokens({ conversation, passthrough });
    }
    return { type: 'start', promptTokens, standIn };
  }

  onEvents(events: readonly TextEvent[]): void {
    this.#tally.count(events);
    const last = events.at(-1);
    if (last?.type === 'finish') {
      this.#isRunning = false;
      this.#endSpan(last);
    }
    const { standIn, options } = this.#parts;
    const isChanged = standIn !== undefined || options.showsKnowledge === true;
    this.#sink.onEvents(isChanged ? events.map((event) => this.#completed(event)) : events);
  }

  /** An engine that fails before its first word costs nothing. */
  onFailure(error: unknown): void {
    this.#isRunning = false;
    this.#endSpan(undefined, toFault(error).code);
    if (this.#tally.hasWords) this.#tally.endEarly();
    this.#sink.onFailure(error);
  }

  /** With attributes as the conventions for generative AI name them; nothing of the prompt or the answer. */
  #endSpan(finish: FinishEvent | undefined, error?: string): void {
    if (this.#span?.isSampled !== true) return;
    const { engine, conversation } = this.#parts;
    this.#span.end(
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'stackgate',
        'gen_ai.request.model': engine.model,
        'gen_ai.request.max_tokens': conversation.sampling.maxTokens,
        'gen_ai.usage.input_tokens': finish?.usage.promptTokens,
        'gen_ai.usage.output_tokens': finish?.usage.completionTokens,
        'gen_ai.response.finish_reasons': finish && FINISH_REASONS[finish.reason],
      },
      error,
    );
  }

  /** Adds the model of a replacing engine to the start event, and the quoted passages to the last one. */
  #completed(event: TextEvent): TextEvent {
    const { standIn, passages, options } = this.#parts;
    if (event.type === 'start') return { ...event, standIn };
    return event.type === 'finish' && options.showsKnowledge ? { ...event, knowledge: passages } : event;
  }
}
