import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { FoundPassage } from './found-passage.ts';
import type { AnswerSink, TextAnswer } from './text-engine.ts';
import type { StartEvent, TextEvent } from './text-event.ts';

/** Asks another engine; rejects if the request is refused before the engine is asked. */
export type AskSpare = (sink: AnswerSink) => TextAnswer | Promise<TextAnswer>;

/** Failures after which another engine is asked. */
const REPLACEABLE: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'engine-failed',
  'engine-overloaded',
  'engine-timeout',
  'too-many-counts',
]);

/** Asks one engine after the other until one starts a block. From then on the answer is final, so that no text is sent twice. */
export class FirstOfAnswers implements TextAnswer, AnswerSink {
  readonly #sink: AnswerSink;
  readonly #spares: AskSpare[];
  #answer: TextAnswer;
  #hasSpoken = false;
  #isFlowing = true;
  #isStopped = false;

  constructor(first: (sink: AnswerSink) => TextAnswer, spares: readonly AskSpare[], sink: AnswerSink) {
    this.#sink = sink;
    this.#spares = [...spares];
    this.#answer = first(this);
  }

  get passages(): readonly FoundPassage[] {
    return this.#answer.passages;
  }

  begin(): void {
    this.#answer.begin();
  }

  stop(): void {
    this.#isStopped = true;
    this.#answer.stop();
  }

  setFlowing(isFlowing: boolean): void {
    this.#isFlowing = isFlowing;
    this.#answer.setFlowing(isFlowing);
  }

  start(signal: AbortSignal): Promise<StartEvent> {
    return this.#answer.start(signal);
  }

  onEvents(events: readonly TextEvent[]): void {
    this.#hasSpoken ||= events.some(({ type }) => type !== 'start');
    this.#sink.onEvents(events);
  }

  onFailure(error: unknown): void {
    if (this.#isStopped) return;
    const isReplaceable = error instanceof Fault && REPLACEABLE.has(error.code);
    const next = this.#hasSpoken || !isReplaceable ? undefined : this.#spares.shift();
    if (next === undefined) this.#sink.onFailure(error);
    else void this.#ask(next);
  }

  async #ask(spare: AskSpare): Promise<void> {
    try {
      const answer = await spare(this);
      if (this.#isStopped) return;
      this.#answer = answer;
      answer.setFlowing(this.#isFlowing);
      answer.begin();
    } catch (error) {
      this.onFailure(error);
    }
  }
}
