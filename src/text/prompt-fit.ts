import type { Abortable } from '../access/admission.ts';
import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { SpanParent } from '../telemetry/request-trace.ts';
import type { Conversation } from './conversation.ts';
import type { AskedConversation } from './passthrough.ts';
import { leastTokens, tokenBound } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';

/** The length of a prompt, and the room for it beside the reserved answer. */
export interface PromptMeasure {
  readonly tokens: number;
  readonly room: number;
}

/** An engine and its prompt. */
interface Sent extends AskedConversation {
  readonly engine: TextEngine;
}

interface Counting {
  readonly meter: ProbeMeter;
  readonly request: Abortable;
  readonly span: SpanParent | undefined;
}

/** Throws if a prompt does not fit beside the reserved answer. Returns its tokens if they had to be counted. */
export function requireFit(sent: Sent, caller: Caller, counting: Counting): undefined | Promise<number> {
  requirePossible(sent, caller);
  return measurePrompt(sent, caller, counting)?.then(({ tokens, room }) => {
    if (tokens <= room) return tokens;
    throw promptTooLong(tokens, room);
  });
}

/** Measures a prompt with the engine's own count; `undefined` if its bytes alone prove that it fits. */
export function measurePrompt(
  { engine, conversation, passthrough }: Sent,
  caller: Caller,
  { meter, request, span }: Counting,
): undefined | Promise<PromptMeasure> {
  const room = roomFor(conversation, engine, caller);
  if (room === undefined) return undefined;
  const bound =
    engine.tokenBound === undefined ? tokenBound(conversation) : engine.tokenBound(conversation, passthrough);
  if (bound !== undefined && bound <= room) return undefined;
  const options = { passthrough, meter, stackId: caller.stack.id, span };
  return engine.countTokens(conversation, request.signal, options).then((tokens) => ({ tokens, room }));
}

/** Refuses a prompt that is many times too long before it is parsed or counted, which takes seconds. */
function requirePossible({ engine, conversation, passthrough }: Sent, caller: Caller): void {
  if (passthrough === undefined) return;
  const least = leastTokens(passthrough);
  const room = roomFor(conversation, engine, caller);
  if (room !== undefined && least > room) throw promptTooLong(least, room, ' (or more: it was not counted)');
}

/** Tokens for a prompt beside the reserved answer; `undefined` if any length fits. */
function roomFor({ sampling }: Conversation, engine: TextEngine, caller: Caller): number | undefined {
  const window = windowOf(engine, caller);
  return window === undefined ? undefined : Math.max(0, window - sampling.maxTokens);
}

/** Agents recognise this wording and compact the conversation. */
export function promptTooLong(tokens: number, most: number, note = ''): Fault {
  const message = `prompt is too long: ${tokens} tokens > ${most} maximum${note}`;
  return new Fault('context-length-exceeded', message, { param: 'messages' });
}

/** The smaller of the engine's and the plan's window. */
export function windowOf(engine: TextEngine, caller: Caller): number | undefined {
  const planWindow = caller.plan.limits.contextWindow ?? undefined;
  if (engine.contextWindow === undefined || planWindow === undefined)
    return engine.contextWindow ?? planWindow;
  return Math.min(engine.contextWindow, planWindow);
}
