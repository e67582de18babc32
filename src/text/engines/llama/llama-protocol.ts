import type { RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { RankOrder } from '../../candidate-ranker.ts';
import type { Conversation } from '../../conversation.ts';
import type { Adapter } from './built-in-adapter.ts';
import type { OutputGrammar } from './output-grammar.ts';

/** Settings the child is started with. */
export interface LlamaSetup {
  readonly modelPath: string;
  readonly adapter?: Adapter | undefined;
  /** Loads the vocabulary only, to count long prompts. */
  readonly countsOnly: boolean;
  readonly threads: number;
  /** Concurrent conversations. */
  readonly sequences: number;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** How long a conversation's context is kept after its last request. */
  readonly contextIdleMs: number;
  /** A folder for state that moves to a larger context. */
  readonly folder: string;
  readonly sampling: RecommendedSampling;
  /** Beyond this many tokens the end of free text becomes more likely; absent: never. */
  readonly rambleTokens?: number | undefined;
}

/** A request to the child. */
export type LlamaRequest = CountRequest | WriteRequest | RankRequest;

/** Counts the tokens of a prompt. */
export interface CountRequest {
  readonly type: 'count';
  readonly conversation: Conversation;
}

/** Answers a conversation with batches of text events without `start`; an empty batch is a sign of life. */
export interface WriteRequest {
  readonly type: 'write';
  readonly conversation: Conversation;
  readonly grammar: OutputGrammar;
  readonly seed: number;
  readonly callIds: readonly string[];
}

/** Ranks candidates for the start of the answer. */
export interface RankRequest extends Omit<RankOrder, 'stackId'> {
  readonly type: 'rank';
}

const REQUEST_TYPES: ReadonlySet<unknown> = new Set<LlamaRequest['type']>(['count', 'write', 'rank']);

/** Parses a message of the parent, which is part of this program, so only its type is checked. */
export function parseLlamaRequest(payload: unknown): LlamaRequest {
  if (isRequest(payload)) return payload;
  throw new TypeError('the parent sent an unknown request');
}

function isRequest(payload: unknown): payload is LlamaRequest {
  return isRecord(payload) && REQUEST_TYPES.has(payload.type);
}

/** The length of the longest prompt that leaves room for an answer. */
export function longestPrompt(contextWindow: number): number {
  return contextWindow - 2;
}

/** The prompt cannot be answered; `code` tells the parent why. */
export class PromptRefused extends Error {
  override readonly name = 'PromptRefused';
  readonly code: 'prompt-too-long' | 'prompt-invalid';

  constructor(code: PromptRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}
