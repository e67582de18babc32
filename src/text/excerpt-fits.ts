import type { SpanParent } from '../telemetry/request-trace.ts';
import { type Conversation, changed, type OutputForm, type Turn } from './conversation.ts';
import { tokenBound } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';

// The rest of the window is left for the conversation, its tools and the answer.
const WINDOW_FRACTION = 1 / 8;
const MOST_TOKENS = 4_096;
const TOKENS_WITHOUT_WINDOW = 2_048;

// Some chat templates reject a conversation without a message.
const briefTurn: Turn = { role: 'user', parts: [{ type: 'text', text: '?' }] };
const plainText: OutputForm = { type: 'text' };

export interface ExcerptRoom {
  readonly engine: TextEngine;
  /** Tokens of prompt and answer together; `undefined` if unknown. */
  readonly window: number | undefined;
  readonly conversation: Conversation;
  readonly meter?: ProbeMeter;
  readonly cacheScope: string;
  readonly signal: AbortSignal;
  readonly stackId: string;
  readonly span?: SpanParent | undefined;
}

/** Makes a check whether an excerpt stays within its part of the context window. Asks the engine for a count only if the byte count leaves a doubt. */
export function excerptFits({
  engine,
  window,
  conversation,
  meter,
  cacheScope,
  signal,
  stackId,
  span,
}: ExcerptRoom): (text: string) => Promise<boolean> {
  const most = excerptTokens(window);
  return async (text) => {
    // Only the excerpt, so that its limit does not depend on the rest of the conversation.
    const alone = changed(conversation, {
      system: text,
      turns: [briefTurn],
      tools: [],
      output: plainText,
      cacheScope,
    });
    const bound = tokenBound(alone);
    if (bound !== undefined && bound <= most) return true;
    return (await engine.countTokens(alone, signal, { meter, stackId, span })) <= most;
  };
}

/** The maximum length of an excerpt in tokens. */
function excerptTokens(window: number | undefined): number {
  if (window === undefined) return TOKENS_WITHOUT_WINDOW;
  return Math.min(MOST_TOKENS, Math.floor(window * WINDOW_FRACTION));
}
