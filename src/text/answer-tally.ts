import type { Meter } from '../access/meter.ts';
import { turnNowMs } from '../lib/clock.ts';
import type { AnswerPace } from './answer-pace.ts';
import type { AskedConversation } from './passthrough.ts';
import { estimatedTokens, tokensOfBytes } from './prompt-size.ts';
import type { TextEvent, Usage } from './text-event.ts';

/** Counts the tokens of one answer and reports them to the meter once, however the answer ends. */
export class AnswerTally {
  readonly #asked: AskedConversation;
  readonly #meter: Meter;
  readonly #pace: AnswerPace | undefined;
  readonly #startedMs = turnNowMs();
  #promptTokens: number | undefined;
  #deltas = 0;
  #characters = 0;
  #isTold = false;

  /** `asked`: the prompt as sent to the engine. `pace`: only for an answer in one piece. */
  constructor(asked: AskedConversation, meter: Meter, pace: AnswerPace | undefined) {
    this.#asked = asked;
    this.#meter = meter;
    this.#pace = pace;
  }

  /** Whether the engine has sent any text. */
  get hasWords(): boolean {
    return this.#deltas > 0;
  }

  count(events: readonly TextEvent[]): void {
    for (const event of events) {
      if (event.type === 'block-delta') {
        this.#deltas++;
        this.#characters += event.text.length;
      } else if (event.type === 'start') this.#promptTokens = event.promptTokens;
      else if (event.type === 'finish') {
        this.#pace?.learn(event.usage.completionTokens, turnNowMs() - this.#startedMs);
        this.#tell(event.usage);
      }
    }
  }

  /** Reports an estimate: engines send exact numbers only at the end. */
  endEarly(): void {
    if (this.#isTold) return;
    this.#tell({
      promptTokens: this.#promptTokens ?? estimatedTokens(this.#asked),
      completionTokens: this.#tokensSoFar(),
    });
  }

  /** Most engines send one token per delta, some several; most characters are one byte. */
  #tokensSoFar(): number {
    const heard = Math.max(this.#deltas, tokensOfBytes(this.#characters));
    if (this.#pace === undefined || heard > 0) return heard;
    const made = this.#pace.tokensIn(turnNowMs() - this.#startedMs);
    return Math.min(made, this.#asked.conversation.sampling.maxTokens);
  }

  #tell(usage: Usage): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#meter.add(usage);
  }
}
