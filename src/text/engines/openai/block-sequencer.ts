import type { TextEvent } from '../../text-event.ts';
import { BlockLane } from './block-lane.ts';
import type { CallIds } from './call-ids.ts';
import { MAXIMUM_KEPT_BYTES } from './openai-limits.ts';

/** A fragment of a tool call. */
export interface ToolFragment {
  /** Identifies the call within the answer; a fragment without a key continues the latest call, unless it has a name. */
  readonly key: string | number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** Assigns the id of a call. */
export type TakeCallId = CallIds['take'];

const MAXIMUM_LANES = 512;

/**
 * Puts the pieces of an answer in order, one block after the other. The oldest unfinished block streams; later ones are kept
 * until they are complete. Text is complete when something else begins, a tool call when its arguments are a whole JSON
 * object and something else begins.
 */
export class BlockSequencer {
  readonly #takeCallId: TakeCallId;
  /** Oldest first; the first one streams. */
  readonly #lanes: BlockLane[] = [];
  /** By key; undefined in most answers, which call nothing. */
  #calls: Map<string | number, BlockLane> | undefined;
  #laneCount = 0;
  #keptCharacters = 0;
  #latestCall: BlockLane | undefined;

  constructor(takeCallId: TakeCallId) {
    this.#takeCallId = takeCallId;
  }

  get hasToolCalls(): boolean {
    return this.#latestCall !== undefined;
  }

  addText(type: 'text' | 'reasoning', text: string, events: TextEvent[]): void {
    if (text === '') return;
    const last = this.#lanes.at(-1);
    this.#add(last?.type === type ? last : this.#begin(type), text);
    this.#advance(events);
  }

  addToolFragment(fragment: ToolFragment, events: TextEvent[]): void {
    const lane = this.#laneOf(fragment);
    lane.learn(fragment.id, fragment.name);
    if (lane.isClosed) {
      if (fragment.text.trim() !== '') throw new Error('arguments go on after their end');
      return;
    }
    this.#add(lane, fragment.text);
    this.#advance(events);
  }

  /** Ends every block. */
  finish(events: TextEvent[]): void {
    for (const lane of this.#lanes) lane.close(events, this.#takeCallId);
    this.#lanes.length = 0;
  }

  // Some servers give every call the index 0, so another id with a name also begins a new call.
  #laneOf({ key, id, name }: ToolFragment): BlockLane {
    const known = key === undefined && name === undefined ? this.#latestCall : this.#calls?.get(key ?? '');
    if (known !== undefined && !known.isOtherThan(id, name)) return known;
    const lane = this.#begin('tool-call');
    if (key !== undefined) {
      this.#calls ??= new Map();
      this.#calls.set(key, lane);
    }
    this.#latestCall = lane;
    return lane;
  }

  #begin(type: BlockLane['type']): BlockLane {
    this.#laneCount += 1;
    if (this.#laneCount > MAXIMUM_LANES) throw new Error('the answer has too many blocks');
    const lane = new BlockLane(type);
    this.#lanes.push(lane);
    return lane;
  }

  #add(lane: BlockLane, text: string): void {
    lane.add(text);
    if (lane.type === 'tool-call' || lane !== this.#lanes[0]) this.#keptCharacters += text.length;
    if (this.#keptCharacters > MAXIMUM_KEPT_BYTES) throw new Error('the answer is too large');
  }

  #advance(events: TextEvent[]): void {
    for (;;) {
      const [first, second] = this.#lanes;
      if (first === undefined) return;
      if (second === undefined || !first.isComplete) {
        first.stream(events, this.#takeCallId);
        return;
      }
      first.close(events, this.#takeCallId);
      this.#lanes.shift();
    }
  }
}
