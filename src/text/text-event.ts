/**
 * What a text engine says back. Order is the contract: `start`, then blocks one after the other, each with its deltas, then `finish`.
 * Failure is thrown as a Fault. Of a stack with several engines `start` comes again where another one takes over before the first block.
 */
export type TextEvent = StartEvent | BlockStartEvent | BlockDeltaEvent | BlockEndEvent | FinishEvent;

/** Counted and accepted; the model has not read the prompt yet. */
export interface StartEvent {
  readonly type: 'start';
  /** Known only where the caller asked for it to be counted first. */
  readonly promptTokens: number | undefined;
  /** The model of an engine that stands in; absent where the stack's own answers. */
  readonly standIn?: string | undefined;
}

export interface BlockStartEvent {
  readonly type: 'block-start';
  readonly block: Block;
}

/** More of the open block: text, reasoning, or the JSON text of a tool call's arguments. Never empty. */
export interface BlockDeltaEvent {
  readonly type: 'block-delta';
  readonly text: string;
}

export interface BlockEndEvent {
  readonly type: 'block-end';
}

export interface FinishEvent {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** The stop sequence that ended the answer, where the engine tells. */
  readonly stopSequence: string | undefined;
  readonly usage: Usage;
}

/** A part of an answer. */
export type Block =
  | { readonly type: 'text' }
  | { readonly type: 'reasoning' }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string };

/** Why an answer ended. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'refusal';

/** Tokens read and written. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}
