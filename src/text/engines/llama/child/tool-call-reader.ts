import type { TextEvent } from '../../../text-event.ts';
import { callMark, callMiddle, callOpening } from '../output-grammar.ts';

/** Without the line break, which some models omit. */
const NAME_OPENING = callOpening.slice(1);

/** Reads tool calls after their mark, as the grammar makes them: each has a name, and arguments that are streamed. */
export class ToolCallReader {
  readonly #newCallId: () => string;
  #unread = '';
  #expects: 'opening' | 'name' | 'arguments' | 'mark' = 'opening';
  #extent = new JsonExtent();
  #hasBegun = false;
  #isOpen = false;

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  /** Whether a call was announced. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  push(text: string, events: TextEvent[]): void {
    this.#unread += text;
    while (this.#advance(events)) {
      // Each step reads one part of a call.
    }
  }

  /** Ends a call that was cut off. */
  finish(events: TextEvent[]): void {
    if (this.#isOpen) events.push({ type: 'block-end' });
    this.#isOpen = false;
  }

  /** Reads one more part if it is complete; false if more text is needed. */
  #advance(events: TextEvent[]): boolean {
    switch (this.#expects) {
      case 'opening':
        return this.#skipPast(NAME_OPENING, 'name');
      case 'name':
        return this.#readName(events);
      case 'arguments':
        return this.#readArguments(events);
      case 'mark':
        return this.#skipPast(callMark, 'opening');
    }
  }

  #skipPast(text: string, next: 'name' | 'opening'): boolean {
    const at = this.#unread.indexOf(text);
    if (at === -1) return false;
    this.#unread = this.#unread.slice(at + text.length);
    this.#expects = next;
    return true;
  }

  #readName(events: TextEvent[]): boolean {
    const end = this.#unread.indexOf(callMiddle);
    if (end === -1) return false;
    const name = String(JSON.parse(`"${this.#unread.slice(0, end)}"`));
    events.push({ type: 'block-start', block: { type: 'tool-call', id: this.#newCallId(), name } });
    this.#unread = this.#unread.slice(end + callMiddle.length);
    this.#expects = 'arguments';
    this.#extent = new JsonExtent();
    this.#hasBegun = true;
    this.#isOpen = true;
    return true;
  }

  #readArguments(events: TextEvent[]): boolean {
    const length = this.#extent.take(this.#unread);
    const text = this.#unread.slice(0, length);
    this.#unread = this.#unread.slice(length);
    if (text !== '') events.push({ type: 'block-delta', text });
    if (!this.#extent.isWhole) return false;
    events.push({ type: 'block-end' });
    this.#isOpen = false;
    this.#expects = 'mark';
    return true;
  }
}

/** Finds the end of a JSON object or array in text that arrives in pieces. */
export class JsonExtent {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The number of characters of this piece that belong to the value. */
  take(piece: string): number {
    for (let index = 0; index < piece.length; index += 1) {
      if (this.#isWhole) return index;
      this.#read(piece[index]);
    }
    return piece.length;
  }

  #read(character: string | undefined): void {
    if (this.#isInText) {
      this.#readInText(character);
      return;
    }
    if (character === '"') this.#isInText = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') {
      this.#depth -= 1;
      this.#isWhole = this.#depth === 0;
    }
  }

  #readInText(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }
}
