import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import { AnswerTally } from './answer-tally.ts';
import type { FoundPassage } from './found-passage.ts';
import type { Prompt } from './prompt-builder.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { TextAnswer } from './text-answer.ts';
import type { AnswerSink, AskOptions, EngineAnswer, TextEngine } from './text-engine.ts';
import type { StartEvent, TextEvent } from './text-event.ts';

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
  #isRunning = false;

  constructor(parts: MeteredAnswerParts, sink: AnswerSink) {
    const { engine, conversation, passthrough, caller, meter, options } = parts;
    const { countFirst, inOnePiece, mostPieceBytes } = options;
    this.#parts = parts;
    this.#sink = sink;
    this.#tally = new AnswerTally(parts, meter, inOnePiece ? engine.pace : undefined);
    const asked = { passthrough, countFirst, inOnePiece, mostPieceBytes, meter, stackId: caller.stack.id };
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
  }

  setFlowing(isFlowing: boolean): void {
    this.#answer.setFlowing(isFlowing);
  }

  async start(signal: AbortSignal): Promise<StartEvent> {
    const { engine, conversation, passthrough, meter, caller, standIn } = this.#parts;
    let promptTokens: number;
    try {
      const options = { passthrough, meter, stackId: caller.stack.id };
      promptTokens = await engine.countTokens(conversation, signal, options);
    } catch {
      // Usually the server that counts has failed, and the answer reports that failure.
      promptTokens = estimatedTokens({ conversation, passthrough });
    }
    return { type: 'start', promptTokens, standIn };
  }

  onEvents(events: readonly TextEvent[]): void {
    this.#tally.count(events);
    if (events.at(-1)?.type === 'finish') this.#isRunning = false;
    const { standIn, options } = this.#parts;
    const isChanged = standIn !== undefined || options.showsKnowledge === true;
    this.#sink.onEvents(isChanged ? events.map((event) => this.#completed(event)) : events);
  }

  /** An engine that fails before its first word costs nothing. */
  onFailure(error: unknown): void {
    this.#isRunning = false;
    if (this.#tally.hasWords) this.#tally.endEarly();
    this.#sink.onFailure(error);
  }

  /** Adds the model of a replacing engine to the start event, and the quoted passages to the last one. */
  #completed(event: TextEvent): TextEvent {
    const { standIn, passages, options } = this.#parts;
    if (event.type === 'start') return { ...event, standIn };
    return event.type === 'finish' && options.showsKnowledge ? { ...event, knowledge: passages } : event;
  }
}
