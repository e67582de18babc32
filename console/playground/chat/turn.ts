import type { Source } from '../../api/types.ts';
import { isObject } from '../json-text.ts';

/** A call of a tool that the model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
}

interface AssistantTurn {
  readonly role: 'assistant';
  readonly text: string;
  readonly calls?: readonly ToolCall[];
  /** The passages that it was drawn from. They are shown, and never sent. */
  readonly sources?: readonly Source[];
}

/** A part of a conversation, the same for every wire. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | AssistantTurn
  | { readonly role: 'tool'; readonly call: string; readonly text: string };

export function areTurns(value: unknown): value is readonly Turn[] {
  return Array.isArray(value) && value.every(isTurn);
}

function isTurn(value: unknown): boolean {
  if (!isObject(value) || typeof value.text !== 'string') return false;
  if (value.role === 'tool') return typeof value.call === 'string';
  if (value.role === 'assistant')
    return (
      value.sources === undefined &&
      (value.calls === undefined || (Array.isArray(value.calls) && value.calls.every(isCall)))
    );
  return value.role === 'user';
}

function isCall(value: unknown): boolean {
  return (
    isObject(value) && [value.id, value.name, value.arguments].every((member) => typeof member === 'string')
  );
}

/** A tool as the form has it; each wire has its own shape for it. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: unknown;
}

export function areTools(value: unknown): value is readonly Tool[] {
  return (
    Array.isArray(value) &&
    value.every((tool) => isObject(tool) && typeof tool.name === 'string' && isObject(tool.parameters))
  );
}

/** The settings of a chat. */
export interface ChatForm {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly stream: boolean;
  readonly tools: readonly Tool[];
  /** A JSON Schema that the answer must satisfy. */
  readonly schema: unknown;
  /** Whether the answer lists the passages that it was drawn from. */
  readonly sources: boolean;
}

/** The answer so far. */
export interface ChatAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly finish: string | null;
  readonly problem: string | null;
  /** null: not asked for, or not yet known. */
  readonly sources: readonly Source[] | null;
}

export const NO_ANSWER: ChatAnswer = {
  text: '',
  thinking: '',
  calls: [],
  inputTokens: null,
  outputTokens: null,
  finish: null,
  problem: null,
  sources: null,
};

/** A dialect: how a form becomes a request, and how events become an answer. */
export interface Wire {
  readonly path: string;
  request(form: ChatForm): Readonly<Record<string, unknown>>;
  /** The form of a request that this wire made. */
  form(request: unknown): ChatForm;
  /** The answer with one more event in it. */
  event(answer: ChatAnswer, event: string, data: unknown): ChatAnswer;
  /** The answer in one piece. */
  whole(body: unknown): ChatAnswer;
}
