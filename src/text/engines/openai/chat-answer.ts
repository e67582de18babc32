import { Fault, toFault } from '../../../faults/fault.ts';
import { BodyBuffer } from '../../../upstream/body-buffer.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { ResponseHead } from '../../../upstream/response-head.ts';
import { AnswerTooLarge } from '../../answer-too-large.ts';
import type { AnswerSink, EngineAnswer } from '../../text-engine.ts';
import type { FinishEvent, TextEvent } from '../../text-event.ts';
import type { TakeCallId } from './block-sequencer.ts';
import type { ChatCall, ChatListener } from './chat-call.ts';
import { ChunkReader } from './chunk-reader.ts';
import type { Replica } from './replica.ts';
import type { RunningUsage } from './running-usage.ts';

/** What an answer is made of. */
export interface ChatAnswerOptions {
  readonly openCall: (listener: ChatListener) => ChatCall;
  /** Of the server, where it was asked for usage in every chunk: while that is told, the prompt is not counted. */
  readonly runningUsage: RunningUsage | undefined;
  /** Counts the prompt beside the call; absent where nobody wants to know. */
  readonly countPrompt: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly stop: readonly string[];
  readonly takeCallId: TakeCallId;
  /** How much may wait for the count of the prompt; above it the socket is not read. */
  readonly bufferedCharacters: number;
  /** The largest event or whole body, where that is more than usual. */
  readonly mostPieceBytes: number | undefined;
}

const MAXIMUM_WHOLE_BYTES = 4 * 1024 * 1024;
/** What an event weighs besides its text. */
const EVENT_CHARACTERS = 32;

/** One answer, told while its bytes arrive: `start`, its events, then `finish` or a failure, and nothing after `stop`. */
export class ChatAnswer implements ChatListener, EngineAnswer {
  readonly #options: ChatAnswerOptions;
  readonly #sink: AnswerSink;
  readonly #call: ChatCall;
  #counting: AbortController | undefined;
  #reader: ChunkReader | undefined;
  /** The body of a server that does not stream. */
  #whole: BodyBuffer | undefined;
  #hasStarted = false;
  #hasLearned = false;
  #promptTokens: number | undefined;
  #countFailure: unknown;
  /** What came before the count of the prompt, which is told first. */
  #held: TextEvent[] = [];
  #heldCharacters = 0;
  #failure: { readonly error: unknown } | undefined;
  #isWanted = true;
  #isOver = false;

  constructor(options: ChatAnswerOptions, sink: AnswerSink) {
    this.#options = options;
    this.#sink = sink;
    this.#call = options.openCall(this);
  }

  /** Asks; the sink may hear of a failure before this returns. */
  begin(): void {
    this.#call.start();
    if (!this.#options.runningUsage?.isTold) this.#count();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#end();
    if (!this.#reader?.isFinished) this.#call.abort();
  }

  setFlowing(isFlowing: boolean): void {
    // The connection may serve another request by now.
    if (this.#isOver) return;
    this.#isWanted = isFlowing;
    this.#call.setFlowing(isFlowing && this.#heldCharacters <= this.#options.bufferedCharacters);
  }

  onAccepted(head: ResponseHead, replica: Replica): void {
    const { stop, takeCallId, mostPieceBytes = 0 } = this.#options;
    const { redact } = replica;
    this.#reader = new ChunkReader({ stop, takeCallId, redact, mostPieceBytes });
    if (head.contentType === 'application/json')
      this.#whole = new BodyBuffer(Math.max(MAXIMUM_WHOLE_BYTES, mostPieceBytes));
    if (this.#options.countPrompt === undefined) this.#startWith(undefined);
  }

  onBytes(bytes: Buffer): void {
    if (this.#whole === undefined) this.#read((reader) => reader.feed(bytes));
    else this.#whole.add(bytes);
  }

  onEnd(): void {
    const whole = this.#whole;
    if (whole?.isOverfull) this.#fail(unusable(new AnswerTooLarge('the body is too large')));
    else this.#read((reader) => (whole === undefined ? reader.end() : reader.readWhole(whole.whole())));
  }

  onFailure(fault: Fault): void {
    this.#fail(fault);
  }

  #count(): void {
    const { countPrompt } = this.#options;
    if (countPrompt === undefined || this.#isOver) return;
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
        if (this.#failure === undefined) this.#startByUsage();
        else this.#tellFailure(this.#failure.error);
      },
    );
  }

  #read(read: (reader: ChunkReader) => readonly TextEvent[]): void {
    const reader = this.#reader;
    if (reader === undefined || reader.isFinished || this.#isOver) return;
    try {
      this.#add(read(reader));
    } catch (error) {
      this.#call.abort();
      this.#fail(toFault(error));
      return;
    }
    if (reader.isFinished) this.#call.release();
    this.#learn(reader);
    this.#startByUsage();
  }

  #add(events: readonly TextEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    const counted = last.type === 'finish' ? this.#withCount(last) : last;
    const told = counted === last ? events : [...events.slice(0, -1), counted];
    if (this.#hasStarted) this.#tell(told);
    else this.#hold(told);
  }

  #hold(events: readonly TextEvent[]): void {
    for (const event of events) {
      this.#held.push(event);
      this.#heldCharacters += EVENT_CHARACTERS + (event.type === 'block-delta' ? event.text.length : 0);
    }
    if (this.#heldCharacters > this.#options.bufferedCharacters) this.#call.setFlowing(false);
  }

  #tell(events: readonly TextEvent[]): void {
    if (this.#isOver) return;
    if (events.at(-1)?.type === 'finish') this.#end();
    this.#sink.onEvents(events);
  }

  /** A server that never tells its usage is believed to have read what was counted. */
  #withCount(finish: FinishEvent): FinishEvent {
    if (this.#reader?.usage !== undefined || this.#promptTokens === undefined) return finish;
    return { ...finish, usage: { ...finish.usage, promptTokens: this.#promptTokens } };
  }

  /** Where the first chunk tells the prompt's tokens, no count is waited for; where none worked, nothing else can help. */
  #startByUsage(): void {
    const reader = this.#reader;
    if (this.#hasStarted || this.#isOver || !reader || reader.chunkCount === 0) return;
    const tokens = reader.usage?.promptTokens ?? 0;
    if (tokens > 0) this.#startWith(tokens);
    else if (this.#countFailure !== undefined) {
      this.#call.abort();
      this.#fail(isRefusedTurn(this.#countFailure) ? this.#countFailure : unusable(this.#countFailure));
    } else if (this.#counting === undefined) this.#count();
  }

  #learn(reader: ChunkReader): void {
    if (this.#hasLearned || reader.chunkCount === 0) return;
    this.#hasLearned = true;
    this.#options.runningUsage?.learn(reader.startsWithUsage);
  }

  #startWith(promptTokens: number | undefined): void {
    if (this.#hasStarted || this.#isOver) return;
    this.#hasStarted = true;
    this.#promptTokens = promptTokens;
    const held = this.#held.map((event) => (event.type === 'finish' ? this.#withCount(event) : event));
    if (this.#heldCharacters > 0) {
      this.#held = [];
      this.#heldCharacters = 0;
      this.#call.setFlowing(this.#isWanted);
    }
    this.#tell([{ type: 'start', promptTokens }, ...held]);
    if (this.#failure !== undefined) this.#tellFailure(this.#failure.error);
  }

  /** Told at once, also before the start, for another engine may stand by; only words that wait for the count are told before it. */
  #fail(error: unknown): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#failure = { error };
    if (this.#counting === undefined || this.#held.length === 0) this.#tellFailure(error);
  }

  #tellFailure(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#sink.onFailure(error);
  }

  #end(): void {
    this.#isOver = true;
    this.#held = [];
    this.#counting?.abort();
    this.#counting = undefined;
  }
}

function isRefusedTurn(failure: unknown): boolean {
  return failure instanceof Fault && failure.code === 'too-many-counts';
}
