import type { FoundPassage } from './found-passage.ts';

/**
 * An event of a text engine's answer. The order is fixed: `start`, then blocks one after the other, each with its deltas, then `finish`.
 * A failure is a Fault. If another engine of the stack takes over before the first block, it sends a second `start`.
 */
export type TextEvent = StartEvent | BlockStartEvent | BlockDeltaEvent | BlockEndEvent | FinishEvent;

/** The request is accepted, and counted if asked for; the model has not read the prompt yet. */
export interface StartEvent {
  readonly type: 'start';
  /** Set only if the caller asked for a count first. */
  readonly promptTokens: number | undefined;
  /** The model of an engine that replaces the stack's own; absent otherwise. */
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
  /** The stop sequence that ended the answer, if the engine reports it. */
  readonly stopSequence: string | undefined;
  readonly usage: Usage;
  /** All tokens written, if probabilities were asked for and the engine tells them. */
  readonly tokens?: readonly WrittenToken[];
  /** The passages of the knowledge base that the prompt quotes, if they were asked for. */
  readonly knowledge?: readonly FoundPassage[];
}

/** A token of an answer. */
export interface WrittenToken {
  /** Not text: a token may be a part of a character. */
  readonly bytes: Uint8Array;
  readonly logProbability: number;
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
  /** The prompt's tokens that the model server had in its cache; absent if it had none or does not tell. */
  readonly cachedTokens?: number;
}
