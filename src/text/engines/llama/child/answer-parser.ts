import { StopSequenceFilter } from '../../../stop-sequence-filter.ts';
import type { TextEvent } from '../../../text-event.ts';
import { callMark } from '../output-grammar.ts';
import { ToolCallReader } from './tool-call-reader.ts';

export interface AnswerParserOptions {
  readonly stop: readonly string[];
  readonly mayCall: boolean;
  readonly newCallId: () => string;
}

/** Turns the text of an answer into blocks: plain text up to a stop sequence, and tool calls after their mark. */
export class AnswerParser {
  readonly #stops: StopSequenceFilter;
  readonly #calls: ToolCallReader | undefined;
  #mark: StopSequenceFilter;
  #isInCalls = false;
  #isTextOpen = false;
  /** Whitespace before the first word; dropped if no word follows. */
  #blank = '';

  constructor({ stop, mayCall, newCallId }: AnswerParserOptions) {
    this.#stops = new StopSequenceFilter(stop);
    this.#calls = mayCall ? new ToolCallReader(newCallId) : undefined;
    this.#mark = new StopSequenceFilter(mayCall ? [callMark] : []);
  }

  /** The stop sequence that ended the answer. */
  get stopSequence(): string | undefined {
    return this.#stops.found;
  }

  get hasCalls(): boolean {
    return this.#calls?.hasBegun ?? false;
  }

  /** The text after a call mark, while it is undecided whether a call follows; `undefined` otherwise. */
  get afterMark(): string | undefined {
    return this.#isInCalls || this.#mark.found === undefined ? undefined : this.#mark.rest;
  }

  push(text: string, events: TextEvent[]): void {
    if (this.#isInCalls) this.#calls?.push(text, events);
    else this.#say(this.#stops.push(this.#mark.push(text)), events);
  }

  /** A call follows the mark: ends the text before it. */
  beginCalls(events: TextEvent[]): void {
    const { rest } = this.#mark;
    this.#say(this.#stops.flush(), events);
    this.#closeText(events);
    this.#isInCalls = true;
    this.#calls?.push(rest, events);
  }

  /** No call follows the mark: it was plain text. */
  takeMarkAsText(events: TextEvent[]): void {
    const text = callMark + this.#mark.rest;
    this.#mark = new StopSequenceFilter([callMark]);
    this.#say(this.#stops.push(text), events);
  }

  /** Sends the text that was held back, and ends the last block. */
  finish(events: TextEvent[]): void {
    if (this.#isInCalls) {
      this.#calls?.finish(events);
      return;
    }
    this.#say(this.#stops.push(this.#mark.flush()) + this.#stops.flush(), events);
    this.#closeText(events);
  }

  #say(text: string, events: TextEvent[]): void {
    const whole = this.#blank + text;
    this.#blank = '';
    if (whole === '') return;
    if (!this.#isTextOpen) {
      if (whole.trim() === '') {
        this.#blank = whole;
        return;
      }
      events.push({ type: 'block-start', block: { type: 'text' } });
      this.#isTextOpen = true;
    }
    events.push({ type: 'block-delta', text: whole });
  }

  #closeText(events: TextEvent[]): void {
    if (this.#isTextOpen) events.push({ type: 'block-end' });
    this.#isTextOpen = false;
    this.#blank = '';
  }
}
