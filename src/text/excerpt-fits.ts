import { type Conversation, changed, type OutputForm, type Turn } from './conversation.ts';
import { tokenBound } from './prompt-size.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';

// The rest of the window is for the conversation, its tools and the answer.
const WINDOW_FRACTION = 1 / 8;
const MOST_TOKENS = 4_096;
const TOKENS_WITHOUT_WINDOW = 2_048;

// Some chat templates refuse a conversation in which nobody says anything.
const briefTurn: Turn = { role: 'user', parts: [{ type: 'text', text: '?' }] };
const plainText: OutputForm = { type: 'text' };

export interface ExcerptRoom {
  readonly engine: TextEngine;
  /** Tokens of prompt and answer together; `undefined` where nobody knows. */
  readonly window: number | undefined;
  readonly conversation: Conversation;
  readonly meter?: ProbeMeter;
  readonly cacheScope: string;
  readonly signal: AbortSignal;
  readonly stackId: string;
}

/** Whether an excerpt stays within its share of the context window, by the engine's own count wherever bytes leave a doubt. */
export function excerptFits({
  engine,
  window,
  conversation,
  meter,
  cacheScope,
  signal,
  stackId,
}: ExcerptRoom): (text: string) => Promise<boolean> {
  const share = excerptTokens(window);
  return async (text) => {
    // The excerpt alone, so that its length does not depend on what else the conversation holds.
    const alone = changed(conversation, {
      system: text,
      turns: [briefTurn],
      tools: [],
      output: plainText,
      cacheScope,
    });
    const bound = tokenBound(alone);
    if (bound !== undefined && bound <= share) return true;
    return (await engine.countTokens(alone, signal, { meter, stackId })) <= share;
  };
}

/** The most tokens that an excerpt takes. */
function excerptTokens(window: number | undefined): number {
  if (window === undefined) return TOKENS_WITHOUT_WINDOW;
  return Math.min(MOST_TOKENS, Math.floor(window * WINDOW_FRACTION));
}
