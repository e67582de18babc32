import type { Caller } from '../access/caller.ts';
import type { AskedConversation } from './passthrough.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';
import type { StartEvent } from './text-event.ts';

/** An answer that was asked for and has not begun; the conversation is the one that the engine was sent. */
export interface SilentAnswer extends AskedConversation {
  readonly engine: Pick<TextEngine, 'countTokens'>;
  readonly meter: ProbeMeter;
  readonly caller: Caller;
  readonly standIn?: string | undefined;
}

/** The start of an answer whose engine is silent or has failed: the prompt is counted now and, where that fails or the signal aborts, estimated. */
export async function lateStart(
  { engine, conversation, passthrough, meter, caller, standIn }: SilentAnswer,
  signal: AbortSignal,
): Promise<StartEvent> {
  let promptTokens: number;
  try {
    const options = { passthrough, meter, stackId: caller.stack.id };
    promptTokens = await engine.countTokens(conversation, signal, options);
  } catch {
    // Whoever counts is most often the server that failed, and that failure is what is told.
    promptTokens = estimatedTokens({ conversation, passthrough });
  }
  return { type: 'start', promptTokens, standIn };
}
