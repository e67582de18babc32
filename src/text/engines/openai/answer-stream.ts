import { Fault, toFault } from '../../../faults/fault.ts';
import { BodyBuffer } from '../../../upstream/body-buffer.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { ResponseHead } from '../../../upstream/response-head.ts';
import type { TextEvent } from '../../text-event.ts';
import type { TakeCallId } from './block-sequencer.ts';
import type { ChatCall, ChatListener } from './chat-call.ts';
import { ChunkReader } from './chunk-reader.ts';
import type { Replica } from './replica.ts';

/** What an answer is made of. */
export interface AnswerStreamOptions {
  readonly openCall: (listener: ChatListener) => ChatCall;
  /** Counts the prompt beside the call; absent where nobody wants to know. */
  readonly countPrompt: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly stop: readonly string[];
  readonly takeCallId: TakeCallId;
  readonly bufferedCharacters: number;
  readonly signal: AbortSignal;
}

type Batch = readonly TextEvent[];

const MAXIMUM_WHOLE_BYTES = 4 * 1024 * 1024;
/** What an event weighs besides its text. */
const EVENT_CHARACTERS = 32;

/** The events of one answer. What was read and not taken is bounded: above it the socket is not read. */
export class AnswerStream implements AsyncIterableIterator<Batch>, ChatListener {
  readonly #options: AnswerStreamOptions;
  readonly #call: ChatCall;
  #counting: AbortController | undefined;
  #reader: ChunkReader | undefined;
  /** The body of a server that does not stream. */
  #whole: BodyBuffer | undefined;
  #start: 'unknown' | 'due' | 'given' = 'unknown';
  #promptTokens: number | undefined;
  #countFailure: unknown;
  #events: TextEvent[] = [];
  #characters = 0;
  #failure: { readonly error: unknown } | undefined;
  #hasBegun = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
    this.#call = options.openCall(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    if (!this.#hasBegun) this.#begin();
    for (;;) {
      const batch = this.#take();
      if (batch !== undefined) return { done: false, value: batch };
      if (this.#failure !== undefined && (this.#start === 'given' || this.#failsBeforeStart)) {
        const { error } = this.#failure;
        this.#close();
        throw error;
      }
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#hasBegun = true;
    this.#close();
    return { done: true, value: undefined };
  }

  onAccepted(head: ResponseHead, replica: Replica): void {
    const { stop, takeCallId } = this.#options;
    this.#reader = new ChunkReader({ stop, takeCallId, redact: replica.redact });
    if (head.contentType === 'application/json') this.#whole = new BodyBuffer(MAXIMUM_WHOLE_BYTES);
    if (this.#options.countPrompt === undefined) this.#startWith(undefined);
  }

  onBytes(bytes: Buffer): void {
    if (this.#whole === undefined) this.#read((reader) => reader.feed(bytes));
    else this.#whole.add(bytes);
  }

  onEnd(): void {
    const whole = this.#whole;
    if (whole?.isOverfull) this.#fail(unusable(new Error('the body is too large')));
    else this.#read((reader) => (whole === undefined ? reader.end() : reader.readWhole(whole.whole())));
  }

  onFailure(fault: Fault): void {
    this.#fail(fault);
  }

  #begin(): void {
    this.#hasBegun = true;
    const { signal, countPrompt } = this.#options;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.#onAbort);
    this.#call.start();
    if (countPrompt !== undefined) this.#count(countPrompt);
  }

  #count(countPrompt: (signal: AbortSignal) => Promise<number>): void {
    const counting = new AbortController();
    this.#counting = counting;
    countPrompt(counting.signal).then(
      (tokens) => {
        // An abort makes an error with its stack, 6 % of a small request in a profile: none where nothing is to be stopped.
        this.#counting = undefined;
        this.#startWith(tokens);
      },
      (error: unknown) => {
        this.#counting = undefined;
        this.#countFailure = error;
        this.#startByUsage();
        this.#changed();
      },
    );
  }

  #read(read: (reader: ChunkReader) => readonly TextEvent[]): void {
    const reader = this.#reader;
    if (reader === undefined || reader.isFinished) return;
    try {
      this.#add(read(reader));
    } catch (error) {
      this.#call.abort();
      this.#fail(toFault(error));
      return;
    }
    if (reader.isFinished) this.#call.release();
    this.#startByUsage();
  }

  #add(events: readonly TextEvent[]): void {
    if (events.length === 0) return;
    for (const event of events) {
      this.#events.push(event.type === 'finish' ? this.#withCount(event) : event);
      this.#characters += EVENT_CHARACTERS + (event.type === 'block-delta' ? event.text.length : 0);
    }
    if (this.#characters > this.#options.bufferedCharacters) this.#call.setFlowing(false);
    this.#changed();
  }

  /** A server that never tells its usage is believed to have read what was counted. */
  #withCount(finish: Extract<TextEvent, { type: 'finish' }>): TextEvent {
    if (this.#reader?.usage !== undefined || this.#promptTokens === undefined) return finish;
    return { ...finish, usage: { ...finish.usage, promptTokens: this.#promptTokens } };
  }

  /** Where no way of counting worked, only a server that tells its usage from the first chunk on can help. */
  #startByUsage(): void {
    const reader = this.#reader;
    if (this.#countFailure === undefined || this.#start !== 'unknown' || !reader || reader.chunkCount === 0) {
      return;
    }
    const tokens = reader.usage?.promptTokens ?? 0;
    if (tokens > 0) {
      this.#startWith(tokens);
      return;
    }
    this.#call.abort();
    this.#fail(unusable(this.#countFailure));
  }

  #startWith(promptTokens: number | undefined): void {
    if (this.#start !== 'unknown') return;
    this.#promptTokens = promptTokens;
    this.#start = 'due';
    this.#changed();
  }

  /** What can be given now. */
  #take(): Batch | undefined {
    if (this.#start === 'unknown' || (this.#start === 'due' && this.#failsBeforeStart)) return undefined;
    const events = this.#events;
    if (this.#start === 'due') {
      events.unshift({ type: 'start', promptTokens: this.#promptTokens });
      this.#start = 'given';
    }
    if (events.length === 0) return undefined;
    this.#events = [];
    this.#characters = 0;
    this.#call.setFlowing(true);
    if (events.at(-1)?.type === 'finish') this.#close();
    return events;
  }

  /**
   * Whether a failure is told instead of the start. Where the prompt is counted, a server that fails waits for the count,
   * so that what a client sees does not hang on which of the two came back first; a refusal, or an abort, does not.
   */
  get #failsBeforeStart(): boolean {
    if (this.#failure === undefined || this.#start === 'given') return false;
    const { error } = this.#failure;
    if (this.#options.countPrompt === undefined || this.#countFailure !== undefined) return true;
    return !(error instanceof Fault) || error.status < 500;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#changed();
  }

  readonly #onAbort = (): void => {
    this.#call.abort();
    this.#events = [];
    this.#failure = { error: this.#options.signal.reason };
    this.#changed();
  };

  #close(): void {
    this.#isOver = true;
    this.#failure = undefined;
    this.#events = [];
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#counting?.abort();
    if (!this.#reader?.isFinished) this.#call.abort();
    this.#changed();
  }

  #changed(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
