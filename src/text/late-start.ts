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
  readonly standIn?: string | undefined;
}

/** The start of an answer whose engine is silent or has failed: the prompt is counted now and, where that fails or the signal aborts, estimated. */
export async function lateStart(
  { engine, conversation, meter, standIn }: SilentAnswer,
  signal: AbortSignal,
): Promise<StartEvent> {
  let promptTokens: number;
  try {
    promptTokens = await engine.countTokens(conversation, signal, meter);
  } catch {
    // Whoever counts is most often the server that failed, and that failure is what is told.
    promptTokens = estimatedTokens(conversation);
  }
  return { type: 'start', promptTokens, standIn };
}
