import type { AttachmentReader } from './attachment-reader.ts';
import type { Conversation, Part, TextPart, Turn } from './conversation.ts';
import type { Retriever } from './retriever.ts';

/** What the caller's stack and key add to a conversation. */
export interface PromptSettings {
  readonly systemPrompt: string | undefined;
  readonly temperature: number;
  /** Whether the key asks for excerpts of the knowledge base. */
  readonly retrieval: boolean;
  /** Whether the engine's model sees pictures. */
  readonly hasVision: boolean;
}

export interface PromptBuilderParts {
  readonly reader: AttachmentReader;
  readonly retriever: Retriever | undefined;
}

/** Completes a conversation to what an engine is sent. Everything that asks or counts goes through here, so that both see the same prompt. */
export class PromptBuilder {
  readonly #parts: PromptBuilderParts;

  constructor(parts: PromptBuilderParts) {
    this.#parts = parts;
  }

  async build(
    conversation: Conversation,
    settings: PromptSettings,
    signal: AbortSignal,
  ): Promise<Conversation> {
    const system = conversation.system ?? settings.systemPrompt;
    const excerpt = settings.retrieval ? await this.#excerpt(conversation, signal) : undefined;
    return {
      ...conversation,
      system: joinTexts([system, excerpt]),
      turns: await this.#visible(conversation.turns, settings.hasVision, signal),
      sampling: {
        ...conversation.sampling,
        temperature: conversation.sampling.temperature ?? settings.temperature,
        topP: conversation.sampling.topP ?? 1,
      },
    };
  }

  async #excerpt(conversation: Conversation, signal: AbortSignal): Promise<string | undefined> {
    const question = lastQuestion(conversation.turns);
    return question === '' ? undefined : this.#parts.retriever?.excerpt(question, signal);
  }

  async #visible(turns: readonly Turn[], hasVision: boolean, signal: AbortSignal): Promise<readonly Turn[]> {
    const mustRead = (part: Part) => part.type === 'document' || (part.type === 'image' && !hasVision);
    if (!turns.some((turn) => turn.role !== 'assistant' && turn.parts.some(mustRead))) return turns;
    const visible = (part: Part) => (mustRead(part) ? this.#asText(part, signal) : part);
    return Promise.all(
      turns.map(async (turn) =>
        turn.role === 'assistant' ? turn : { ...turn, parts: await Promise.all(turn.parts.map(visible)) },
      ),
    );
  }

  async #asText(part: Part, signal: AbortSignal): Promise<TextPart> {
    if (part.type === 'text') return part;
    return { type: 'text', text: await this.#parts.reader.read(part, signal) };
  }
}

/** The last thing the user said, without what the client put around it. */
function lastQuestion(turns: readonly Turn[]): string {
  const isQuestion = (part: Part): part is TextPart => part.type === 'text' && part.isReminder !== true;
  for (const turn of turns.toReversed()) {
    if (turn.role !== 'user') continue;
    const question = turn.parts
      .filter(isQuestion)
      .map((part) => part.text)
      .join('\n')
      .trim();
    if (question !== '') return question;
  }
  return '';
}

/** An empty system text stays one: it replaces the stack's prompt by nothing. */
function joinTexts(texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  if (given.length === 0) return undefined;
  return given.filter((text) => text !== '').join('\n\n');
}
