import type { Caller } from '../access/caller.ts';
import type { FileHolder } from '../files/stack-files.ts';
import { excerptFits } from './excerpt-fits.ts';
import type { AskedConversation } from './passthrough.ts';
import { windowOf } from './prompt-fit.ts';
import type { Retrieval } from './retriever.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';

/** Settings that the caller's stack and key add to a conversation. */
export interface PromptSettings {
  readonly stackId: string;
  readonly systemPrompt: string | undefined;
  readonly temperature: number;
  readonly cacheScope: string;
  /** Set if the key asks for excerpts of the knowledge base. */
  readonly retrieval: Omit<Retrieval, 'question'> | undefined;
  /** Whether the engine's model sees pictures. */
  readonly hasVision: boolean;
}

/** A conversation to complete, and its request. */
export interface PromptAsk extends AskedConversation {
  /** False: not a chat, so without excerpts, even if the key asks for them, and without the chat prompt. */
  readonly retrieval?: boolean | undefined;
  readonly request: FileHolder;
}

/** The settings of the caller for this engine. */
export function promptSettings(
  engine: TextEngine,
  caller: Caller,
  { conversation, request, retrieval = true }: PromptAsk,
  meter: ProbeMeter,
): PromptSettings {
  const { id: stackId, systemPrompt, chatPrompt, temperature, cacheScope } = caller.stack;
  let excerpt: PromptSettings['retrieval'];
  if (retrieval && caller.key.retrieval) {
    const { signal, trace: span } = request;
    const window = windowOf(engine, caller);
    excerpt = {
      stackId,
      span,
      fits: excerptFits({ engine, window, conversation, cacheScope, meter, signal, stackId, span }),
    };
  }
  return {
    stackId,
    systemPrompt: systemPrompt ?? (retrieval ? chatPrompt : undefined),
    temperature: temperature ?? engine.defaultTemperature,
    cacheScope,
    retrieval: excerpt,
    hasVision: engine.hasVision,
  };
}
