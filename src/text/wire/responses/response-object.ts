import type { Fault } from '../../../faults/fault.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { FinishReason, Usage } from '../../text-event.ts';
import { knowledgeMember } from '../knowledge-field.ts';
import type { OutputItem } from './output-item.ts';
import { type ResponseSettings, settingsText } from './settings-text.ts';

/** The members of a response that stay the same from its first event to its last. */
export interface ResponseEcho extends ResponseSettings {
  readonly id: string;
  readonly created: number;
  readonly model: string;
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

/** The JSON of one response in its states. */
export class ResponseText {
  readonly #before: string;
  readonly #settings: string;

  constructor(echo: ResponseEcho) {
    const { id, created, model } = echo;
    this.#before = `{"id":"${id}","object":"response","created_at":${created},"model":${JSON.stringify(model)},`;
    this.#settings = settingsText(echo);
  }

  /** The response with these items, which are JSON already. */
  write(state: ResponseState, items: readonly string[]): string {
    return `${this.#before}${stateText(state)},"output":[${items.join(',')}],${this.#settings}`;
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
