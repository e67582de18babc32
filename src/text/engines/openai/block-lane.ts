import type { Block, TextEvent } from '../../text-event.ts';
import type { CallIds } from './call-ids.ts';

type TakeCallId = CallIds['take'];

/** One block of an answer while its pieces come. */
export class BlockLane {
  readonly type: Block['type'];
  #id: string | undefined;
  #name: string | undefined;
  /** What was not said yet; of a tool call everything, for it must become a whole object. */
  #text = '';
  #said = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(type: Block['type']) {
    this.type = type;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether nothing more belongs to it, given that something else has begun. */
  get isComplete(): boolean {
    return this.type !== 'tool-call' || (this.#name !== undefined && isWholeObject(this.#text));
  }

  /** Whether what has this id and this name is another call. */
  isOtherThan(id: string | undefined, name: string | undefined): boolean {
    return id !== undefined && name !== undefined && this.#id !== undefined && id !== this.#id;
  }

  /** What the server says of a call comes with its first piece, or later. */
  learn(id: string | undefined, name: string | undefined): void {
    this.#id ??= id;
    this.#name ??= name;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Says what came since the last time; of a call nothing until its name is known, for it cannot begin without. */
  stream(events: TextEvent[], takeCallId: TakeCallId): void {
    if (!this.#isOpen && !this.#open(events, takeCallId)) return;
    const text = this.#said === 0 ? this.#text : this.#text.slice(this.#said);
    if (text !== '') events.push({ type: 'block-delta', text });
    if (this.type === 'tool-call') this.#said = this.#text.length;
    else this.#text = '';
  }

  close(events: TextEvent[], takeCallId: TakeCallId): void {
    this.stream(events, takeCallId);
    if (!this.#isOpen) throw new Error('a tool call has no name');
    this.#isClosed = true;
    events.push({ type: 'block-end' });
  }

  #open(events: TextEvent[], takeCallId: TakeCallId): boolean {
    const { type } = this;
    if (type !== 'tool-call') events.push({ type: 'block-start', block: { type } });
    else if (this.#name === undefined) return false;
    else {
      const block = { type, id: takeCallId(this.#id), name: this.#name };
      events.push({ type: 'block-start', block });
    }
    this.#isOpen = true;
    return true;
  }
}

function isWholeObject(text: string): boolean {
  if (!text.trimStart().startsWith('{') || !text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
