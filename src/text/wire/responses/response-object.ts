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

/** A response to store: its output, and everything else as JSON. */
export interface WrittenResponse {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly isBackground: boolean;
  /** The response with an empty output, as JSON. */
  readonly echo: string;
  readonly output: readonly OutputItem[];
}

/** Writes a response to store it. */
export function writtenResponse(response: ResponseObject): WrittenResponse {
  const { id, status, model, background, output } = response;
  const echo = JSON.stringify({ ...response, output: [] });
  return { id, status, model: String(model), isBackground: background === true, echo, output };
}

/** The response with its output so far. */
export function responseObject(
  echo: ResponseEcho,
  state: ResponseState,
  output: readonly OutputItem[],
): ResponseObject {
  return { ...JSON.parse(new ResponseText(echo).write(state, [])), output };
}

/** A response that failed before it had any output. */
export function failedResponse(response: ResponseObject, fault: Fault): ResponseObject {
  return { ...response, ...JSON.parse(`{${stateText({ status: 'failed', fault })}}`) };
}

/** A function as strict clients expect it: with every member. */
function completeTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: false, ...tool };
}

/** The JSON of one response in its states. Members that most requests do not set are written by hand: `JSON.stringify` of all of them takes longer than everything else in a short stream. */
export class ResponseText {
  readonly #before: string;
  readonly #between: string;
  readonly #after: string;

  constructor(echo: ResponseEcho) {
    const { id, created } = echo;
    this.#before = `{"id":${JSON.stringify(id)},"object":"response","created_at":${created},`;
    this.#between = `,${membersBeforeOutput(echo)},"output":[`;
    this.#after = `],${membersAfterOutput(echo)}}`;
  }

  /** The response with these items, which are JSON already. */
  write(state: ResponseState, items: readonly string[]): string {
    return this.#before + stateText(state) + this.#between + items.join(',') + this.#after;
  }
}

function membersBeforeOutput({ model, fields, conversationId, maxOutputTokens }: ResponseEcho): string {
  const conversation = conversationId === undefined ? null : { id: conversationId };
  return `"background":${fields.background ?? false},"conversation":${json(conversation)},"instructions":${json(fields.instructions)},"max_output_tokens":${maxOutputTokens},"max_tool_calls":${json(fields.max_tool_calls)},"metadata":${json(fields.metadata, '{}')},"model":${JSON.stringify(model)}`;
}

function membersAfterOutput({ fields, stored }: ResponseEcho): string {
  const { effort, summary } = fields.reasoning ?? {};
  const text = fields.text && { ...fields.text, format: fields.text.format ?? { type: 'text' } };
  const tools = fields.tools?.map(completeTool);
  return `"frequency_penalty":0,"parallel_tool_calls":${fields.parallel_tool_calls ?? true},"presence_penalty":0,"previous_response_id":${json(fields.previous_response_id)},"prompt_cache_key":${json(fields.prompt_cache_key)},"reasoning":{"effort":${json(effort)},"summary":${json(summary)}},"safety_identifier":${json(fields.safety_identifier)},"service_tier":"default","store":${stored},"temperature":${fields.temperature ?? 1},"text":${json(text, '{"format":{"type":"text"}}')},"tool_choice":${json(fields.tool_choice, '"auto"')},"tools":${json(tools, '[]')},"top_logprobs":0,"top_p":${fields.top_p ?? 1},"truncation":${json(fields.truncation, '"disabled"')},"user":${json(fields.user)}`;
}

/** The JSON of a value, or what stands for one that is not there. */
function json(value: unknown, absent = 'null'): string {
  return value === undefined || value === null ? absent : JSON.stringify(value);
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

const OPEN = '"completed_at":null,"error":null,"incomplete_details":null,"usage":null,"status":';

function knowledgeText(knowledge: readonly FoundPassage[] | undefined): string {
  return knowledge === undefined ? '' : `,${membersOf(knowledgeMember(knowledge))}`;
}

/** The members that tell the state. */
function stateText(state: ResponseState): string {
  switch (state.status) {
    case 'failed': {
      const { fault } = state;
      const error = JSON.stringify({ code: responseErrorCode(fault), message: fault.message });
      return `"completed_at":null,"error":${error},"incomplete_details":null,"usage":null,"status":"failed"`;
    }
    case 'finished': {
      const status = finishedStatus(state.reason);
      const details = status === 'incomplete' ? '{"reason":"max_output_tokens"}' : 'null';
      return `"completed_at":${state.completed},"error":null,"incomplete_details":${details},"usage":${usageText(state.usage)},"status":"${status}"${knowledgeText(state.knowledge)}`;
    }
    default:
      return `${OPEN}"${state.status}"`;
  }
}

/** The status of a response whose answer is complete. */
export function finishedStatus(reason: FinishReason): 'incomplete' | 'completed' {
  return reason === 'length' ? 'incomplete' : 'completed';
}

function usageText({ promptTokens, completionTokens }: Usage): string {
  return `{"input_tokens":${promptTokens},"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":${completionTokens},"output_tokens_details":{"reasoning_tokens":0},"total_tokens":${promptTokens + completionTokens}}`;
}
