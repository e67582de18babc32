import type { Caller } from '../access/caller.ts';
import type { Conversation } from './conversation.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';
import type { StartEvent } from './text-event.ts';

/** An answer that was asked for and has not begun. */
export interface SilentAnswer {
  readonly engine: Pick<TextEngine, 'countTokens'>;
  /** What the engine was sent. */
  readonly conversation: Conversation;
  readonly meter: ProbeMeter;
  readonly caller: Caller;
  readonly standIn?: string | undefined;
}

/** The start of an answer whose engine is silent or has failed: the prompt is counted now and, where that fails or the signal aborts, estimated. */
export async function lateStart(
  { engine, conversation, meter, caller, standIn }: SilentAnswer,
  signal: AbortSignal,
): Promise<StartEvent> {
  let promptTokens: number;
  try {
    promptTokens = await engine.countTokens(conversation, signal, { meter, stackId: caller.stack.id });
  } catch {
    // Whoever counts is most often the server that failed, and that failure is what is told.
    promptTokens = estimatedTokens(conversation);
  }
  return { type: 'start', promptTokens, standIn };
}
