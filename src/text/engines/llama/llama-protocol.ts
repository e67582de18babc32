import type { RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { RankOrder } from '../../candidate-ranker.ts';
import type { Conversation } from '../../conversation.ts';
import type { OutputGrammar } from './output-grammar.ts';

/** What the child is started with. */
export interface LlamaSetup {
  readonly modelPath: string;
  /** Only the vocabulary is loaded, for a child that counts long prompts. */
  readonly countsOnly: boolean;
  readonly threads: number;
  /** Conversations that are worked on at the same time. */
  readonly sequences: number;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** How long the memory of a conversation is kept after its last request. */
  readonly contextIdleMs: number;
  /** A folder of its own, for what moves from a small context to a larger one. */
  readonly folder: string;
  readonly sampling: RecommendedSampling;
  /** From so many tokens on the end of free text becomes likelier; absent: it comes when it comes. */
  readonly rambleTokens?: number | undefined;
}

/** What the child is asked. */
export type LlamaRequest = CountRequest | WriteRequest | RankRequest;

/** How many tokens the prompt has. */
export interface CountRequest {
  readonly type: 'count';
  readonly conversation: Conversation;
}

/** The answer to a conversation, as batches of text events without `start`; an empty batch says that it is still working. */
export interface WriteRequest {
  readonly type: 'write';
  readonly conversation: Conversation;
  readonly grammar: OutputGrammar;
  readonly seed: number;
  readonly callIds: readonly string[];
}

/** The most likely beginnings of the answer among given ones. */
export interface RankRequest extends Omit<RankOrder, 'stackId'> {
  readonly type: 'rank';
}

const REQUEST_TYPES: ReadonlySet<unknown> = new Set<LlamaRequest['type']>(['count', 'write', 'rank']);

/** The request in a message of the parent; it is this program too, so only its kind is checked. */
export function parseLlamaRequest(payload: unknown): LlamaRequest {
  if (isRequest(payload)) return payload;
  throw new TypeError('the parent sent an unknown request');
}

function isRequest(payload: unknown): payload is LlamaRequest {
  return isRecord(payload) && REQUEST_TYPES.has(payload.type);
}

/** The tokens of the longest prompt that leaves room for an answer. */
export function longestPrompt(contextWindow: number): number {
  return contextWindow - 2;
}

/** Why a prompt cannot be answered, told across the process boundary by its code. */
export class PromptRefused extends Error {
  override readonly name = 'PromptRefused';
  readonly code: 'prompt-too-long' | 'prompt-invalid';

  constructor(code: PromptRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}
