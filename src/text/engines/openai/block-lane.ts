import { isRecord, tryParseJson } from '../../../lib/json-record.ts';
import type { Block, TextEvent } from '../../text-event.ts';
import type { CallIds } from './call-ids.ts';

type TakeCallId = CallIds['take'];

/** One block of an answer while its pieces arrive. */
export class BlockLane {
  readonly type: Block['type'];
  #id: string | undefined;
  #name: string | undefined;
  /** Text that was not sent yet; of a tool call all of it, to find the end of its JSON object. */
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

  /** Whether the block is complete once another has begun. */
  get isComplete(): boolean {
    return this.type !== 'tool-call' || (this.#name !== undefined && isWholeObject(this.#text));
  }

  /** Whether a fragment with this id and name belongs to another call. */
  isOtherThan(id: string | undefined, name: string | undefined): boolean {
    return id !== undefined && name !== undefined && this.#id !== undefined && id !== this.#id;
  }

  /** Sets id and name: servers send them with the first fragment, or later. */
  learn(id: string | undefined, name: string | undefined): void {
    this.#id ??= id;
    this.#name ??= name;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Sends the text since the last call. A tool call cannot begin before its name is known. */
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
  return text.trimStart().startsWith('{') && text.trimEnd().endsWith('}') && isRecord(tryParseJson(text));
}
