import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { AskedConversation } from './passthrough.ts';
import { tokenBound } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';

/** How long a prompt is, and how long it may be beside the answer that is reserved. */
export interface PromptMeasure {
  readonly tokens: number;
  readonly room: number;
}

/** An engine and the very prompt that it is sent. */
interface Sent extends AskedConversation {
  readonly engine: TextEngine;
}

interface Counting {
  readonly meter: ProbeMeter;
  readonly signal: AbortSignal;
}

/** Whether bytes leave no doubt that prompt and answer fit into the window. */
export function fitsByBytes({ engine, conversation, passthrough }: Sent, caller: Caller): boolean {
  const window = windowOf(engine, caller);
  if (window === undefined) return true;
  const bound =
    engine.tokenBound === undefined ? tokenBound(conversation) : engine.tokenBound(conversation, passthrough);
  return bound !== undefined && bound <= window - conversation.sampling.maxTokens;
}

/** Refuses a prompt that does not fit beside the answer that is reserved; else tells its tokens. */
export async function requireFit(sent: Sent, caller: Caller, counting: Counting): Promise<number> {
  const measure = await counted(sent, caller, counting);
  if (measure.tokens <= measure.room) return measure.tokens;
  throw new Fault(
    'context-length-exceeded',
    // The wording that agents recognise, and answer by compacting the conversation.
    `prompt is too long: ${measure.tokens} tokens > ${measure.room} maximum`,
    { param: 'messages' },
  );
}

/** How much of the window a prompt takes, by the engine's own count. */
export async function counted(
  { engine, conversation, passthrough }: Sent,
  caller: Caller,
  { meter, signal }: Counting,
): Promise<PromptMeasure> {
  const tokens = await engine.countTokens(conversation, signal, {
    passthrough,
    meter,
    stackId: caller.stack.id,
  });
  const window = windowOf(engine, caller) ?? Number.POSITIVE_INFINITY;
  return { tokens, room: Math.max(0, window - conversation.sampling.maxTokens) };
}

/** The engine's window or the plan's, whichever is smaller. */
export function windowOf(engine: TextEngine, caller: Caller): number | undefined {
  const planWindow = caller.plan.limits.contextWindow ?? undefined;
  if (engine.contextWindow === undefined || planWindow === undefined)
    return engine.contextWindow ?? planWindow;
  return Math.min(engine.contextWindow, planWindow);
}
