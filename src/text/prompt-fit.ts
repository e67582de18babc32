import type { Abortable } from '../access/admission.ts';
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
  readonly request: Abortable;
}

/** Refuses a prompt that does not fit beside the answer that is reserved; tells its tokens where they had to be counted for it. */
export function requireFit(sent: Sent, caller: Caller, counting: Counting): undefined | Promise<number> {
  return measurePrompt(sent, caller, counting)?.then(({ tokens, room }) => {
    if (tokens <= room) return tokens;
    throw promptTooLong(tokens, room);
  });
}

/** How much of the window a prompt takes, by the engine's own count; `undefined` where bytes leave no doubt that it fits. */
export function measurePrompt(
  { engine, conversation, passthrough }: Sent,
  caller: Caller,
  { meter, request }: Counting,
): undefined | Promise<PromptMeasure> {
  const window = windowOf(engine, caller);
  if (window === undefined) return undefined;
  const room = Math.max(0, window - conversation.sampling.maxTokens);
  const bound =
    engine.tokenBound === undefined ? tokenBound(conversation) : engine.tokenBound(conversation, passthrough);
  if (bound !== undefined && bound <= room) return undefined;
  const options = { passthrough, meter, stackId: caller.stack.id };
  return engine.countTokens(conversation, request.signal, options).then((tokens) => ({ tokens, room }));
}

/** The fault of a prompt that leaves no room for an answer, in the wording that agents recognise, and answer by compacting the conversation. */
export function promptTooLong(tokens: number, most: number): Fault {
  const message = `prompt is too long: ${tokens} tokens > ${most} maximum`;
  return new Fault('context-length-exceeded', message, { param: 'messages' });
}

/** The engine's window or the plan's, whichever is smaller. */
export function windowOf(engine: TextEngine, caller: Caller): number | undefined {
  const planWindow = caller.plan.limits.contextWindow ?? undefined;
  if (engine.contextWindow === undefined || planWindow === undefined)
    return engine.contextWindow ?? planWindow;
  return Math.min(engine.contextWindow, planWindow);
}
