import type { FileHolder, StackFiles } from '../files/stack-files.ts';
import { andThen } from '../lib/and-then.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { AttachmentReader } from './attachment-reader.ts';
import type { Conversation, Part, TextPart, Turn } from './conversation.ts';
import type { FoundPassage } from './found-passage.ts';
import { type AskedConversation, completed } from './passthrough.ts';
import type { PromptSettings } from './prompt-settings.ts';
import { retrievalQuestion } from './retrieval-question.ts';
import type { Excerpt, Retriever } from './retriever.ts';
import { isStored, readStoredParts } from './stored-parts.ts';

export interface PromptBuilderParts {
  readonly reader: AttachmentReader;
  readonly retriever: Retriever | undefined;
  readonly files: StackFiles;
}

/** A prompt as it is sent to an engine. */
export interface Prompt extends AskedConversation {
  /** The passages that its excerpt quotes. */
  readonly passages: readonly FoundPassage[];
}

const NO_PASSAGES: readonly FoundPassage[] = [];

/** Completes a conversation to the prompt of an engine. Both asking and counting use it, so that they see the same prompt. */
export class PromptBuilder {
  readonly #parts: PromptBuilderParts;

  constructor(parts: PromptBuilderParts) {
    this.#parts = parts;
  }

  /** Returns a promise only if something must be searched or read. */
  build(
    { conversation, passthrough }: AskedConversation,
    settings: PromptSettings,
    request: FileHolder,
  ): Prompt | Promise<Prompt> {
    return andThen(this.#excerpt(conversation, settings, request), (excerpt) => {
      const changes = changesOf(conversation, settings, excerpt?.text);
      const passages = excerpt?.passages ?? NO_PASSAGES;
      // Turns that are sent on unparsed have no attachments.
      if (passthrough !== undefined)
        return { conversation: completed(conversation, passthrough, changes), passthrough, passages };
      return andThen(this.#visible(conversation.turns, settings, request), (turns) => ({
        conversation: promptOf(conversation, changes, turns),
        passages,
      }));
    });
  }

  #excerpt(
    conversation: Conversation,
    { retrieval }: PromptSettings,
    request: FileHolder,
  ): undefined | Promise<Excerpt | undefined> {
    if (retrieval === undefined) return undefined;
    const question = retrievalQuestion(conversation.turns);
    if (question === '') return undefined;
    return this.#parts.retriever?.excerpt({ ...retrieval, question }, request.signal);
  }

  #visible(
    turns: readonly Turn[],
    { hasVision, stackId }: PromptSettings,
    request: FileHolder,
  ): readonly Turn[] | Promise<readonly Turn[]> {
    if (!turns.some(hasToBeRead(hasVision))) return turns;
    const work = { stackId, signal: request.signal, span: request.trace };
    return andThen(this.#withFiles(turns, { stackId, request }), (read) => {
      const visible = (part: Part) => (isUnseen(part, hasVision) ? this.#asText(part, work) : part);
      return Promise.all(
        read.map(async (turn) =>
          turn.role === 'assistant' ? turn : { ...turn, parts: await Promise.all(turn.parts.map(visible)) },
        ),
      );
    });
  }

  /** Puts the bytes of stored files in place of their ids. */
  async #withFiles(
    turns: readonly Turn[],
    reading: { readonly stackId: string; readonly request: FileHolder },
  ): Promise<readonly Turn[]> {
    if (!turns.some((turn) => turn.role !== 'assistant' && turn.parts.some(isStored))) return turns;
    const attached = await readStoredParts(turns, this.#parts.files, reading);
    return turns.map((turn) =>
      turn.role === 'assistant'
        ? turn
        : { ...turn, parts: turn.parts.map((part) => (isStored(part) ? attached(part) : part)) },
    );
  }

  async #asText(part: Part, work: StackWork): Promise<TextPart> {
    if (part.type === 'text') return part;
    if (isStored(part)) throw new Error('a stored file was not read');
    return { type: 'text', text: await this.#parts.reader.read(part, work) };
  }
}

type Changes = Pick<Conversation, 'system' | 'sampling' | 'cacheScope'>;

/** Names every field: spreading objects of several shapes would take longer than all else in this file. */
function promptOf(
  { tools, toolChoice, parallelToolCalls, output, templateArguments }: Conversation,
  { system, sampling, cacheScope }: Changes,
  turns: readonly Turn[],
): Conversation {
  return {
    system,
    turns,
    tools,
    toolChoice,
    parallelToolCalls,
    output,
    sampling,
    templateArguments,
    cacheScope,
  };
}

/** The stack's defaults for missing fields, and the excerpt. */
function changesOf(
  { system, sampling }: Conversation,
  { systemPrompt, temperature, cacheScope }: PromptSettings,
  excerpt: string | undefined,
): Changes {
  return {
    cacheScope,
    system: joinTexts(system ?? systemPrompt, excerpt),
    sampling: {
      ...sampling,
      temperature: sampling.temperature ?? temperature,
      // A temperature from the caller implies `topP` 1. Without one, the engine chooses `topP` for its model.
      topP: sampling.topP ?? (sampling.temperature === undefined ? undefined : 1),
    },
  };
}

/** Whether a turn has an attachment that must be read or the model cannot see. */
function hasToBeRead(hasVision: boolean): (turn: Turn) => boolean {
  return (turn) => turn.role !== 'assistant' && turn.parts.some((part) => isUnseen(part, hasVision));
}

function isUnseen({ type }: Part, hasVision: boolean): boolean {
  return type === 'document' || type === 'file' || (type === 'image' && !hasVision);
}

/** An empty system text stays empty: it overrides the stack's prompt. */
function joinTexts(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || one === '') return other ?? one;
  return other === undefined || other === '' ? one : `${one}\n\n${other}`;
}
