import type { Meter } from '../access/meter.ts';
import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { PartSpan, SpanParent } from '../telemetry/request-trace.ts';
import type { AnswerPace } from './answer-pace.ts';
import type { CandidateRanker } from './candidate-ranker.ts';
import type { Conversation } from './conversation.ts';
import type { FoundPassage } from './found-passage.ts';
import type { Passthrough } from './passthrough.ts';
import type { StartEvent, TextEvent } from './text-event.ts';

/** Answers conversations. Always sends events, even for an answer in one piece; `ReplyCollector` makes a whole answer of them. */
export interface TextEngine {
  /** The model's name in the configuration. */
  readonly model: string;
  /** Tokens of prompt and answer together; `undefined` if unknown. */
  readonly contextWindow: number | undefined;
  readonly hasVision: boolean;
  readonly lifecycle: Lifecycle;
  /** Used if neither the caller nor the stack sets a temperature. */
  readonly defaultTemperature: number;
  /** Prepares an answer whose events go to the sink; sends nothing until `begin`. */
  ask(conversation: Conversation, options: AskOptions, sink: AnswerSink): EngineAnswer;
  /** The tokens of the prompt that `ask` would send. */
  countTokens(conversation: Conversation, signal: AbortSignal, options?: CountOptions): Promise<number>;
  /** An upper bound of those tokens, if writing the prompt gives one. */
  tokenBound?(conversation: Conversation, passthrough?: Passthrough): number | undefined;
  /** Whether it sends turns and tools on in their original bytes. */
  readonly takesPassthrough?: boolean;
  /** How often it may write a document that lacks facts of its instruction; absent: once. */
  readonly documentDrafts?: number | undefined;
  /** Set if answers can come in one piece. */
  readonly pace?: AnswerPace;
  /** Set if the model's probabilities are available. */
  readonly ranker?: CandidateRanker;
}

export interface CountOptions extends Pick<AskOptions, 'stackId' | 'passthrough'> {
  /** Pays for a probe. */
  readonly meter?: ProbeMeter | undefined;
  /** The span that the count is a part of; absent if the request is not traced. */
  readonly span?: SpanParent | undefined;
}

/** Pays for a probe: a count for which the model must write a token. */
export type ProbeMeter = Pick<Meter, 'reserveTokens' | 'add'>;

export interface AskOptions {
  /** The original bytes of turns and tools, if they may be sent on. */
  readonly passthrough?: Passthrough | undefined;
  /** The stack that asks; stacks take turns. Absent: the gateway itself. */
  readonly stackId?: string | undefined;
  /** Whether `start` must have the number of prompt tokens. It is counted beside the call or sent by the server with its first chunk; only `start` waits for it. */
  readonly countFirst: boolean;
  /** The client does not stream: the server is asked for the whole answer at once. */
  readonly inOnePiece?: boolean | undefined;
  /** A limit for one piece of the answer, if larger than usual; beyond it the answer fails with `AnswerTooLarge`. */
  readonly mostPieceBytes?: number | undefined;
  /** The span of the call; absent if the request is not traced. */
  readonly span?: PartSpan | undefined;
  /** Pays if the count is a probe. */
  readonly meter?: ProbeMeter | undefined;
}

/** Receives an answer in the same tick as its bytes arrive: events up to `finish`, or a failure. */
export interface AnswerSink {
  onEvents(events: readonly TextEvent[]): void;
  onFailure(error: unknown): void;
}

/** An answer of an engine. */
export interface EngineAnswer {
  /** Sends the request; the sink may receive a failure before this returns. */
  begin(): void;
  /** Stops the work; the sink receives nothing more. */
  stop(): void;
  /** Pauses or resumes reading. */
  setFlowing(isFlowing: boolean): void;
}

/** An answer that was admitted but has not begun. */
export interface TextAnswer extends EngineAnswer {
  /** The passages of the knowledge base that the prompt quotes. */
  readonly passages: readonly FoundPassage[];
  /** The start event, for callers that cannot wait for the engine to send it; its tokens are an estimate if the count fails or the signal aborts. */
  start(signal: AbortSignal): Promise<StartEvent>;
}
