import type { Family } from '../families/family.ts';
import type { Fault } from '../faults/fault.ts';
import type { HostedRequest } from './hosted-tools.ts';
import type { AskedConversation } from './passthrough.ts';
import type { Reply } from './reply.ts';
import type { AnswerSink } from './text-engine.ts';
import type { TextEvent } from './text-event.ts';

/** A client format: parses a body, and writes answers. */
export interface TextWire {
  readonly family: Family;
  /** Throws a fault that says what is wrong with the body. */
  open(body: unknown, context: WireContext): TextRequest;
}

/** Facts besides the body that a wire needs. */
export interface WireContext {
  /** Accepted values of `model`; the first is the served one. */
  readonly models: readonly string[];
  /** The id of the answer, without the format's prefix. */
  readonly answerId: string;
  /** Unix time in seconds. */
  readonly created: number;
}

/** One parsed request, with the writers of its answer. */
export interface TextRequest extends AskedConversation {
  readonly streaming: boolean;
  /** Whether a stream of this format must begin with the number of prompt tokens. */
  readonly countFirst: boolean;
  /** Interval of the pings in a silent stream, if clients of this format need them more often than others. */
  readonly nextPingMs?: number;
  /** Set if the request asks for tools that the gateway runs itself. */
  readonly hosted?: HostedRequest | undefined;
  /** Whether the answer lists the passages of the knowledge base that the prompt quotes. */
  readonly showsKnowledge?: boolean | undefined;
  /** The body of a whole answer, as JSON. */
  reply(reply: Reply): string;
  /** A writer for one stream. */
  writer(): StreamWriter;
  /** A sink in front of the client's that stores the answer before it ends. Absent: nothing is stored. */
  readonly storing?: ((sink: AnswerSink) => AnswerSink) | undefined;
}

/** Encodes events as the bytes of a stream. Synchronous, a pure state machine. */
export interface StreamWriter {
  /** Encodes an event; may be empty, as for a second start. */
  write(event: TextEvent): string;
  /** Keeps an idle stream alive. */
  ping(): string;
  /** Ends a stream that failed. */
  fail(fault: Fault, requestId: string): string;
}
