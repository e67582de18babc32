import type { Fault } from '../../../faults/fault.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { FinishReason, Usage } from '../../text-event.ts';
import { knowledgeMember } from '../knowledge-field.ts';
import type { OutputItem } from './output-item.ts';
import type { ResponsesFields } from './responses-request.ts';

/** The members of a response that stay the same from its first event to its last. */
export interface ResponseEcho {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly fields: ResponsesFields;
  /** Whether the response is stored: as requested, unless the stack stores nothing. */
  readonly stored: boolean;
  /** The conversation that the response belongs to. */
  readonly conversationId: string | undefined;
  readonly maxOutputTokens: number;
}

/** The state of a response. */
export type ResponseState =
  | { readonly status: 'queued' | 'in_progress' | 'cancelled' }
  | {
      readonly status: 'finished';
      readonly reason: FinishReason;
      readonly usage: Usage;
      readonly completed: number;
      readonly knowledge: readonly FoundPassage[] | undefined;
    }
  | { readonly status: 'failed'; readonly fault: Fault };

/** A response as clients see it, and as it is stored. */
export type ResponseObject = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: string;
  readonly output: readonly OutputItem[];
};

/** The response with its output so far. */
export function responseObject(
  echo: ResponseEcho,
  state: ResponseState,
  output: readonly OutputItem[],
): ResponseObject {
  const { id, created, model, fields, stored, conversationId, maxOutputTokens } = echo;
  return {
    id,
    object: 'response',
    created_at: created,
    ...stateFields(state),
    background: fields.background ?? false,
    conversation: conversationId === undefined ? null : { id: conversationId },
    instructions: fields.instructions ?? null,
    max_output_tokens: maxOutputTokens,
    max_tool_calls: fields.max_tool_calls ?? null,
    metadata: fields.metadata ?? {},
    model,
    output,
    frequency_penalty: 0,
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: fields.previous_response_id ?? null,
    prompt_cache_key: fields.prompt_cache_key ?? null,
    reasoning: { effort: fields.reasoning?.effort ?? null, summary: fields.reasoning?.summary ?? null },
    safety_identifier: fields.safety_identifier ?? null,
    service_tier: 'default',
    store: stored,
    temperature: fields.temperature ?? 1,
    text: { ...fields.text, format: fields.text?.format ?? { type: 'text' } },
    tool_choice: fields.tool_choice ?? 'auto',
    tools: fields.tools?.map(completeTool) ?? [],
    top_logprobs: 0,
    top_p: fields.top_p ?? 1,
    truncation: fields.truncation ?? 'disabled',
    user: fields.user ?? null,
  };
}

/** A response that failed before it had any output. */
export function failedResponse(response: ResponseObject, fault: Fault): ResponseObject {
  return { ...response, ...stateFields({ status: 'failed', fault }) };
}

/** A function as strict clients expect it: with every member. */
function completeTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: false, ...tool };
}

const IN_PROGRESS = { status: 'in_progress' } as const;
const EMPTY_OUTPUT = '"output":[]';

/** The JSON of one response in its states. All members but the state and the output are written once. */
export class ResponseText {
  /** The response as it begins. */
  readonly begun: string;
  readonly #before: string;
  readonly #between: string;
  readonly #after: string;

  constructor(echo: ResponseEcho) {
    this.begun = JSON.stringify(responseObject(echo, IN_PROGRESS, []));
    const open = membersOf(stateFields(IN_PROGRESS));
    // Only the id and the time come before the state. No string has a bare quote, so the first match is the member itself.
    const stateAt = this.begun.indexOf(open);
    const outputAt = this.begun.indexOf(EMPTY_OUTPUT, stateAt) + EMPTY_OUTPUT.length - 1;
    this.#before = this.begun.slice(0, stateAt);
    this.#between = this.begun.slice(stateAt + open.length, outputAt);
    this.#after = this.begun.slice(outputAt);
  }

  /** Equal to the JSON of `responseObject` with these items. */
  write(state: ResponseState, items: readonly string[]): string {
    return this.#before + membersOf(stateFields(state)) + this.#between + items.join(',') + this.#after;
  }
}

/** The JSON of an object without its braces. */
export function membersOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

/** The error code of this format for a fault. */
function responseErrorCode({ code, status }: Fault): string {
  if (code === 'context-length-exceeded') return 'context_length_exceeded';
  return status === 429 ? 'rate_limit_exceeded' : 'server_error';
}

function stateFields(state: ResponseState) {
  const open = { completed_at: null, error: null, incomplete_details: null, usage: null };
  switch (state.status) {
    case 'failed': {
      const { fault } = state;
      return { ...open, status: 'failed', error: { code: responseErrorCode(fault), message: fault.message } };
    }
    case 'finished': {
      const isCut = state.reason === 'length';
      return {
        ...open,
        status: isCut ? 'incomplete' : 'completed',
        completed_at: state.completed,
        incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
        usage: usageFields(state.usage),
        ...knowledgeMember(state.knowledge),
      };
    }
    default:
      return { ...open, status: state.status };
  }
}

function usageFields({ promptTokens, completionTokens }: Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  };
}
