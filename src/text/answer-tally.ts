import type { Meter } from '../access/meter.ts';
import type { Conversation } from './conversation.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { TextEvent } from './text-event.ts';

// What English text comes to with common tokenizers.
const CHARACTERS_PER_TOKEN = 4;

/** Counts the tokens of one answer and tells them to the meter once, however the answer ends. */
export class AnswerTally {
  readonly #conversation: Conversation;
  readonly #meter: Meter;
  #promptTokens: number | undefined;
  #deltas = 0;
  #characters = 0;
  #isTold = false;

  /** The conversation is the one that the engine was sent. */
  constructor(conversation: Conversation, meter: Meter) {
    this.#conversation = conversation;
    this.#meter = meter;
  }

  /** Whether the engine has said anything. */
  get hasWords(): boolean {
    return this.#deltas > 0;
  }

  count(events: readonly TextEvent[]): void {
    for (const event of events) {
      if (event.type === 'block-delta') {
        this.#deltas++;
        this.#characters += event.text.length;
      } else if (event.type === 'start') this.#promptTokens = event.promptTokens;
      else if (event.type === 'finish') this.#tell(event.usage);
    }
  }

  /** The tokens so far are an estimate: engines say the exact numbers only at the end. Most send a delta per token, some send several tokens at once. */
  endEarly(): void {
    if (this.#isTold) return;
    this.#tell({
      promptTokens: this.#promptTokens ?? estimatedTokens(this.#conversation),
      completionTokens: Math.max(this.#deltas, Math.ceil(this.#characters / CHARACTERS_PER_TOKEN)),
    });
  }

  #tell(usage: { readonly promptTokens: number; readonly completionTokens: number }): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#meter.add(usage);
  }
}
