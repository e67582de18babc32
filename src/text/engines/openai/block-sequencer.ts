import type { Block, TextEvent } from '../../text-event.ts';

/** A piece of a tool call, as far as the server said. */
export interface ToolFragment {
  /** What tells the calls of one answer apart; without it a fragment goes on with the latest call, unless it has a name. */
  readonly key: string | number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** The id that a call gets, given what the server said. */
export type TakeCallId = (given: string | undefined) => string;

const MAXIMUM_LANES = 512;
const MAXIMUM_KEPT_CHARACTERS = 4 * 1024 * 1024;

/**
 * Puts the pieces of an answer in order: one block after the other. The oldest unfinished block streams; what belongs to
 * later ones is kept until it is complete. Text is complete when something else begins, a tool call when its arguments are
 * a whole JSON object and something else begins.
 */
export class BlockSequencer {
  readonly #takeCallId: TakeCallId;
  /** Oldest first; the first one streams. */
  readonly #lanes: Lane[] = [];
  /** By key; most answers call nothing. */
  #calls: Map<string | number, ToolLane> | undefined;
  #laneCount = 0;
  #keptCharacters = 0;
  #latestCall: ToolLane | undefined;

  constructor(takeCallId: TakeCallId) {
    this.#takeCallId = takeCallId;
  }

  get hasToolCalls(): boolean {
    return this.#latestCall !== undefined;
  }

  addText(type: 'text' | 'reasoning', text: string, events: TextEvent[]): void {
    if (text === '') return;
    const last = this.#lanes.at(-1);
    const lane =
      last instanceof PlainLane && last.block.type === type ? last : this.#begin(new PlainLane(type));
    this.#add(lane, text);
    this.#advance(events);
  }

  addToolFragment(fragment: ToolFragment, events: TextEvent[]): void {
    const lane = this.#laneOf(fragment);
    lane.learn(fragment);
    if (lane.isClosed) {
      if (fragment.text.trim() !== '') throw new Error('arguments go on after their end');
      return;
    }
    this.#add(lane, fragment.text);
    this.#advance(events);
  }

  /** Ends every block. */
  finish(events: TextEvent[]): void {
    for (const lane of this.#lanes) lane.close(events);
    this.#lanes.length = 0;
  }

  // Some servers give every call the index 0: another id with another name is another call all the same.
  #laneOf(fragment: ToolFragment): ToolLane {
    const { key, name } = fragment;
    const known = key === undefined && name === undefined ? this.#latestCall : this.#calls?.get(key ?? '');
    if (known !== undefined && !known.isOtherThan(fragment)) return known;
    const lane = this.#begin(new ToolLane(this.#takeCallId));
    if (key !== undefined) {
      this.#calls ??= new Map();
      this.#calls.set(key, lane);
    }
    this.#latestCall = lane;
    return lane;
  }

  #begin<Begun extends Lane>(lane: Begun): Begun {
    this.#laneCount += 1;
    if (this.#laneCount > MAXIMUM_LANES) throw new Error('the answer has too many blocks');
    this.#lanes.push(lane);
    return lane;
  }

  #add(lane: Lane, text: string): void {
    lane.add(text);
    if (lane instanceof ToolLane || lane !== this.#lanes[0]) this.#keptCharacters += text.length;
    if (this.#keptCharacters > MAXIMUM_KEPT_CHARACTERS) throw new Error('the answer is too large');
  }

  #advance(events: TextEvent[]): void {
    for (;;) {
      const [first, second] = this.#lanes;
      if (first === undefined) return;
      if (second === undefined || !first.isComplete()) {
        first.stream(events);
        return;
      }
      first.close(events);
      this.#lanes.shift();
    }
  }
}

interface Lane {
  add(text: string): void;
  /** Whether nothing more belongs to it, given that something else has begun. */
  isComplete(): boolean;
  /** Says what came since the last time. */
  stream(events: TextEvent[]): void;
  close(events: TextEvent[]): void;
}

class PlainLane implements Lane {
  readonly block: Block;
  #unsaid = '';
  #isOpen = false;

  constructor(type: 'text' | 'reasoning') {
    this.block = { type };
  }

  add(text: string): void {
    this.#unsaid += text;
  }

  isComplete(): boolean {
    return true;
  }

  stream(events: TextEvent[]): void {
    if (!this.#isOpen) events.push({ type: 'block-start', block: this.block });
    this.#isOpen = true;
    if (this.#unsaid !== '') events.push({ type: 'block-delta', text: this.#unsaid });
    this.#unsaid = '';
  }

  close(events: TextEvent[]): void {
    this.stream(events);
    events.push({ type: 'block-end' });
  }
}

class ToolLane implements Lane {
  readonly #takeCallId: TakeCallId;
  #id: string | undefined;
  #name: string | undefined;
  #arguments = '';
  #said = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(takeCallId: TakeCallId) {
    this.#takeCallId = takeCallId;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  isOtherThan({ id, name }: ToolFragment): boolean {
    return id !== undefined && name !== undefined && this.#id !== undefined && id !== this.#id;
  }

  learn({ id, name }: ToolFragment): void {
    this.#id ??= id;
    this.#name ??= name;
  }

  add(text: string): void {
    this.#arguments += text;
  }

  isComplete(): boolean {
    return this.#name !== undefined && isWholeObject(this.#arguments);
  }

  /** Says nothing until the name is known: a call cannot begin without it. */
  stream(events: TextEvent[]): void {
    if (this.#name === undefined) return;
    if (!this.#isOpen) {
      const block = { type: 'tool-call', id: this.#takeCallId(this.#id), name: this.#name } as const;
      events.push({ type: 'block-start', block });
    }
    this.#isOpen = true;
    const text = this.#arguments.slice(this.#said);
    if (text !== '') events.push({ type: 'block-delta', text });
    this.#said = this.#arguments.length;
  }

  close(events: TextEvent[]): void {
    if (this.#name === undefined) throw new Error('a tool call has no name');
    this.stream(events);
    this.#isClosed = true;
    events.push({ type: 'block-end' });
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
