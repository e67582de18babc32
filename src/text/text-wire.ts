import type { Family } from '../families/family.ts';
import type { Fault } from '../faults/fault.ts';
import type { AskedConversation } from './passthrough.ts';
import type { Reply } from './reply.ts';
import type { TextEvent } from './text-event.ts';

/** A client format of text: parses a body once, and writes answers. */
export interface TextWire {
  readonly family: Family;
  /** Throws the fault that says what is wrong with the body. */
  open(body: unknown, context: WireContext): TextRequest;
}

/** What a wire needs to know besides the body. */
export interface WireContext {
  /** Names that `model` may take; the first is the served one. */
  readonly models: readonly string[];
  /** The id of the answer, without the format's prefix. */
  readonly answerId: string;
  /** Unix time in seconds. */
  readonly created: number;
}

/** One parsed request and the ways to answer it. */
export interface TextRequest extends AskedConversation {
  readonly streaming: boolean;
  /** Whether a stream of the format begins with the prompt's tokens, before anything else. */
  readonly countFirst: boolean;
  /** Silence between signs of life, where the format's clients need them more often than others. */
  readonly nextPingMs?: number;
  /** The body of a whole answer, as JSON. */
  reply(reply: Reply): string;
  /** A writer for one stream. */
  writer(): StreamWriter;
}

/** Turns events into the bytes of a stream. Synchronous, a pure state machine. */
export interface StreamWriter {
  /** What to send for an event; may be empty, as it is for a start after the first. */
  write(event: TextEvent): string;
  /** What keeps an idle stream alive. */
  ping(): string;
  /** What ends a stream that failed. */
  fail(fault: Fault, requestId: string): string;
}
