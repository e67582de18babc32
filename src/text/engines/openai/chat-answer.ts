import { type Fault, toFault } from '../../../faults/fault.ts';
import { BodyBuffer } from '../../../upstream/body-buffer.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { ResponseHead } from '../../../upstream/response-head.ts';
import { AnswerTooLarge } from '../../answer-too-large.ts';
import type { AnswerSink, EngineAnswer } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import type { TakeCallId } from './block-sequencer.ts';
import type { ChatCall, ChatListener } from './chat-call.ts';
import { ChunkReader } from './chunk-reader.ts';
import { CountedStart, type CountedStartOptions, type StartedAnswer } from './counted-start.ts';
import type { ModelServer } from './model-server.ts';
import { MAXIMUM_KEPT_BYTES } from './openai-limits.ts';

export interface ChatAnswerOptions extends Omit<CountedStartOptions, 'countPrompt'> {
  readonly openCall: (listener: ChatListener) => ChatCall;
  /** Set if the answer must begin with the number of prompt tokens. */
  readonly countPrompt: CountedStartOptions['countPrompt'] | undefined;
  readonly stop: readonly string[];
  readonly takeCallId: TakeCallId;
  /** A larger limit for one event or a whole body. */
  readonly mostPieceBytes: number | undefined;
}

/** One answer, sent on while its bytes arrive: `start`, its events, then `finish` or a failure, and nothing after `stop`. */
export class ChatAnswer implements ChatListener, EngineAnswer, StartedAnswer {
  readonly #options: ChatAnswerOptions;
  readonly #sink: AnswerSink;
  readonly #call: ChatCall;
  /** Set if the answer must begin with a count. */
  readonly #start: CountedStart | undefined;
  #reader: ChunkReader | undefined;
  /** The body of a server that does not stream. */
  #whole: BodyBuffer | undefined;
  #hasLearned = false;
  #isWanted = true;
  #isOver = false;

  constructor(options: ChatAnswerOptions, sink: AnswerSink) {
    this.#options = options;
    this.#sink = sink;
    this.#call = options.openCall(this);
    const { countPrompt, runningUsage, bufferedCharacters } = options;
    if (countPrompt !== undefined)
      this.#start = new CountedStart({ countPrompt, runningUsage, bufferedCharacters }, this);
  }

  /** Sends the request; the sink may receive a failure before this returns. */
  begin(): void {
    this.#call.start();
    if (!this.#isOver) this.#start?.begin();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#end();
    if (!this.#reader?.isFinished) this.#call.abort();
  }

  setFlowing(isFlowing: boolean): void {
    // The connection may already serve another request.
    if (this.#isOver) return;
    this.#isWanted = isFlowing;
    this.flow();
  }

  flow(): void {
    this.#call.setFlowing(this.#isWanted && this.#start?.isFull !== true);
  }

  onAccepted(head: ResponseHead, server: ModelServer): void {
    const { stop, takeCallId, mostPieceBytes = 0 } = this.#options;
    const { redact } = server;
    const reader = new ChunkReader({ stop, takeCallId, redact, mostPieceBytes });
    this.#reader = reader;
    if (head.contentType === 'application/json')
      this.#whole = new BodyBuffer(Math.max(MAXIMUM_KEPT_BYTES, mostPieceBytes));
    if (this.#start === undefined) this.tell([{ type: 'start', promptTokens: undefined }]);
    else this.#start.accept(reader);
  }

  onBytes(bytes: Buffer): void {
    if (this.#whole === undefined) this.#read((reader) => reader.feed(bytes));
    else this.#whole.add(bytes);
  }

  onEnd(): void {
    const whole = this.#whole;
    if (whole?.isOverfull) this.onFailure(unusable(new AnswerTooLarge('the body is too large')));
    else this.#read((reader) => (whole === undefined ? reader.end() : reader.readWhole(whole.whole())));
  }

  onFailure(fault: Fault): void {
    if (this.#isOver) return;
    if (this.#start === undefined) this.tellFailure(fault);
    else this.#start.fail(fault);
  }

  tell(events: readonly TextEvent[]): void {
    if (this.#isOver) return;
    if (events.at(-1)?.type === 'finish') this.#end();
    this.#sink.onEvents(events);
  }

  tellFailure(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#sink.onFailure(error);
  }

  giveUp(error: unknown): void {
    this.#call.abort();
    this.tellFailure(error);
  }

  #read(read: (reader: ChunkReader) => readonly TextEvent[]): void {
    const reader = this.#reader;
    if (reader === undefined || reader.isFinished || this.#isOver) return;
    try {
      this.#pass(read(reader));
    } catch (error) {
      this.#call.abort();
      this.onFailure(toFault(error));
      return;
    }
    if (reader.isFinished) this.#call.release();
    this.#learn(reader);
    this.#start?.startByUsage();
  }

  #pass(events: readonly TextEvent[]): void {
    if (events.length === 0) return;
    if (this.#start === undefined) this.tell(events);
    else this.#start.add(events);
  }

  #learn(reader: ChunkReader): void {
    if (this.#hasLearned || reader.chunkCount === 0) return;
    this.#hasLearned = true;
    this.#options.runningUsage?.learn(reader.startsWithUsage);
  }

  #end(): void {
    this.#isOver = true;
    this.#start?.stop();
  }
}
