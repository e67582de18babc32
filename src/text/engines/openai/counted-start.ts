import { Fault } from '../../../faults/fault.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { FinishEvent, TextEvent } from '../../text-event.ts';
import type { ChunkReader } from './chunk-reader.ts';
import type { RunningUsage } from './running-usage.ts';

export interface CountedStartOptions {
  /** Counts the prompt, in parallel with the call. */
  readonly countPrompt: (signal: AbortSignal) => Promise<number>;
  /** Set if usage is requested in every chunk: as long as the server sends it, the prompt is not counted. */
  readonly runningUsage: RunningUsage | undefined;
  /** How much text may wait for the count; beyond it the socket is paused. */
  readonly bufferedCharacters: number;
}

/** The answer that waits for its start. */
export interface StartedAnswer {
  tell(events: readonly TextEvent[]): void;
  tellFailure(error: unknown): void;
  /** Pauses or resumes reading, depending on the room left. */
  flow(): void;
  /** Ends the call and fails: the number of prompt tokens cannot be found. */
  giveUp(error: unknown): void;
}

/** Size of an event besides its text. */
const EVENT_CHARACTERS = 32;

/** Makes an answer begin with the number of prompt tokens: counted in parallel, or taken from the server's first chunk. All other events wait for it. */
export class CountedStart {
  readonly #options: CountedStartOptions;
  readonly #answer: StartedAnswer;
  /** Reads the server's answer. */
  #reader: ChunkReader | undefined;
  #counting: AbortController | undefined;
  #countFailure: unknown;
  #promptTokens: number | undefined;
  #held: TextEvent[] = [];
  #heldCharacters = 0;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(options: CountedStartOptions, answer: StartedAnswer) {
    this.#options = options;
    this.#answer = answer;
  }

  get isFull(): boolean {
    return this.#heldCharacters > this.#options.bufferedCharacters;
  }

  begin(): void {
    if (!this.#options.runningUsage?.isTold) this.#count();
  }

  accept(reader: ChunkReader): void {
    this.#reader = reader;
  }

  add(events: readonly TextEvent[]): void {
    const last = events.at(-1);
    if (this.#promptTokens === undefined) this.#hold(events);
    else if (last?.type !== 'finish') this.#answer.tell(events);
    else this.#answer.tell([...events.slice(0, -1), this.#withCount(last, this.#promptTokens)]);
  }

  /** Starts with the usage of the first chunk, without waiting for a count. If there is none and the count failed, the answer fails. */
  startByUsage(): void {
    const reader = this.#reader;
    if (this.#promptTokens !== undefined || this.#isOver || !reader || reader.chunkCount === 0) return;
    const tokens = reader.usage?.promptTokens ?? 0;
    if (tokens > 0) this.#startWith(tokens);
    else if (this.#countFailure !== undefined) {
      const failure = this.#countFailure;
      this.#answer.giveUp(isRefusedTurn(failure) ? failure : unusable(failure));
    } else if (this.#counting === undefined) this.#count();
  }

  /** Reports a failure at once, even before the start, so that another engine can take over. If text waits for the count, it is sent first. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    if (this.#counting === undefined || this.#held.length === 0) this.#answer.tellFailure(error);
  }

  /** Drops all waiting events and the count. */
  stop(): void {
    this.#isOver = true;
    this.#held = [];
    this.#counting?.abort();
    this.#counting = undefined;
  }

  #count(): void {
    const counting = new AbortController();
    this.#counting = counting;
    this.#options.countPrompt(counting.signal).then(
      (tokens) => {
        // An abort creates an error with a stack trace, 6 % of a small request in a profile: nothing to abort from here on.
        this.#counting = undefined;
        this.#startWith(tokens);
      },
      (error: unknown) => {
        this.#counting = undefined;
        this.#countFailure = error;
        if (this.#failure === undefined) this.startByUsage();
        else this.#answer.tellFailure(this.#failure.error);
      },
    );
  }

  #hold(events: readonly TextEvent[]): void {
    for (const event of events) {
      this.#held.push(event);
      this.#heldCharacters += EVENT_CHARACTERS + (event.type === 'block-delta' ? event.text.length : 0);
    }
    if (this.isFull) this.#answer.flow();
  }

  #startWith(promptTokens: number): void {
    if (this.#promptTokens !== undefined || this.#isOver) return;
    this.#promptTokens = promptTokens;
    const held = this.#held.map((event) =>
      event.type === 'finish' ? this.#withCount(event, promptTokens) : event,
    );
    if (held.length > 0) {
      this.#held = [];
      this.#heldCharacters = 0;
      this.#answer.flow();
    }
    this.#answer.tell([{ type: 'start', promptTokens }, ...held]);
    if (this.#failure !== undefined) this.#answer.tellFailure(this.#failure.error);
  }

  /** If the server sends no usage, the count takes its place. */
  #withCount(finish: FinishEvent, promptTokens: number): FinishEvent {
    if (this.#reader?.usage !== undefined) return finish;
    return { ...finish, usage: { ...finish.usage, promptTokens } };
  }
}

function isRefusedTurn(failure: unknown): boolean {
  return failure instanceof Fault && failure.code === 'too-many-counts';
}
