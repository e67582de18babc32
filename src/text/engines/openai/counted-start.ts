import { Fault } from '../../../faults/fault.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { FinishEvent, TextEvent } from '../../text-event.ts';
import type { ChunkReader } from './chunk-reader.ts';
import type { RunningUsage } from './running-usage.ts';

export interface CountedStartOptions {
  /** Counts the prompt beside the call. */
  readonly countPrompt: (signal: AbortSignal) => Promise<number>;
  /** Of the server, where it was asked for usage in every chunk: while that is told, the prompt is not counted. */
  readonly runningUsage: RunningUsage | undefined;
  /** How much may wait for the count; above it the socket is not read. */
  readonly bufferedCharacters: number;
}

/** The answer that begins with it. */
export interface StartedAnswer {
  tell(events: readonly TextEvent[]): void;
  tellFailure(error: unknown): void;
  /** Reads on or holds on, as there is room. */
  flow(): void;
  /** Ends the call and fails: nobody can say what the answer must begin with. */
  giveUp(error: unknown): void;
}

/** What an event weighs besides its text. */
const EVENT_CHARACTERS = 32;

/** Has an answer begin with its prompt's tokens: counted beside the call, or told by the server with its first words. All else waits for them. */
export class CountedStart {
  readonly #options: CountedStartOptions;
  readonly #answer: StartedAnswer;
  /** What the server has said. */
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

  /** Where the first chunk tells the prompt's tokens, no count is waited for; where none worked, nothing else can help. */
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

  /** Told at once, also before the start, for another engine may stand by; only words that wait for the count are told before it. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    if (this.#counting === undefined || this.#held.length === 0) this.#answer.tellFailure(error);
  }

  /** Nobody listens any more. */
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
        // An abort makes an error with its stack, 6 % of a small request in a profile: none where nothing is to be stopped.
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

  /** A server that never tells its usage is believed to have read what was counted. */
  #withCount(finish: FinishEvent, promptTokens: number): FinishEvent {
    if (this.#reader?.usage !== undefined) return finish;
    return { ...finish, usage: { ...finish.usage, promptTokens } };
  }
}

function isRefusedTurn(failure: unknown): boolean {
  return failure instanceof Fault && failure.code === 'too-many-counts';
}
