import type { Meter } from '../access/meter.ts';
import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { AnswerPace } from './answer-pace.ts';
import type { CandidateRanker } from './candidate-ranker.ts';
import type { Conversation } from './conversation.ts';
import type { Passthrough } from './passthrough.ts';
import type { TextEvent } from './text-event.ts';

/** Something that answers conversations. It only tells events, also of an answer in one piece; `ReplyCollector` makes the whole answer. */
export interface TextEngine {
  /** The name of the model, as the configuration gives it. */
  readonly model: string;
  /** Tokens of prompt and answer together; `undefined` where nobody knows. */
  readonly contextWindow: number | undefined;
  readonly hasVision: boolean;
  readonly lifecycle: Lifecycle;
  /** What is used when neither the caller nor the stack says a temperature. */
  readonly defaultTemperature: number;
  /** Prepares an answer that is told to the sink; nothing is asked before it begins. */
  ask(conversation: Conversation, options: AskOptions, sink: AnswerSink): EngineAnswer;
  /** The tokens of the very prompt that `ask` would send. */
  countTokens(conversation: Conversation, signal: AbortSignal, options?: CountOptions): Promise<number>;
  /** An upper bound of those tokens, only where writing the prompt tells it; `undefined` where there is none. */
  tokenBound?(conversation: Conversation, passthrough?: Passthrough): number | undefined;
  /** Whether it sends turns and tools on in the bytes in which they came. */
  readonly takesPassthrough?: boolean;
  /** Only where answers can come in one piece. */
  readonly pace?: AnswerPace;
  /** Only where the model's own probabilities can be asked for. */
  readonly ranker?: CandidateRanker;
}

export interface CountOptions extends Pick<AskOptions, 'stackId' | 'passthrough'> {
  /** Of which what a probe costs is taken. */
  readonly meter?: ProbeMeter | undefined;
}

/** Who pays where tokens can only be counted by having the model write one. */
export type ProbeMeter = Pick<Meter, 'reserveTokens' | 'add'>;

export interface AskOptions {
  /** The turns and tools of the conversation again, where they came in bytes that may be sent on. */
  readonly passthrough?: Passthrough | undefined;
  /** Whose answer it is: where answers wait, stacks take turns. Absent: the gateway's own. */
  readonly stackId?: string | undefined;
  /** Whether `start` must say the number of prompt tokens: counted beside the call, or told by the server with its first words; only `start` waits for it. */
  readonly countFirst: boolean;
  /** Whether nobody wants to hear of the answer before it is complete: a server is then asked for all of it at once. */
  readonly inOnePiece?: boolean | undefined;
  /** The largest piece of an answer that is read, where that is more than usual; a larger one is `AnswerTooLarge`. */
  readonly mostPieceBytes?: number | undefined;
  /** Of the count, where it is a probe. */
  readonly meter?: ProbeMeter | undefined;
}

/** Hears of an answer in the very tick in which its bytes come: events up to `finish`, or a failure. */
export interface AnswerSink {
  onEvents(events: readonly TextEvent[]): void;
  onFailure(error: unknown): void;
}

/** An answer that an engine tells. */
export interface EngineAnswer {
  /** Asks; the sink may hear of a failure before this returns. */
  begin(): void;
  /** Stops the work; nothing is told any more. */
  stop(): void;
  /** Goes on with reading, or holds on. */
  setFlowing(isFlowing: boolean): void;
}
