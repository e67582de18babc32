import type { Fault } from '../../../faults/fault.ts';
import type { HostedRequest } from '../../hosted-tools.ts';
import type { Reply } from '../../reply.ts';
import type { TextRequest, WireContext } from '../../text-wire.ts';
import { includesKnowledge } from '../knowledge-field.ts';
import { type ItemForm, outputItems } from './output-item.ts';
import type { ReadResponse } from './read-response.ts';
import {
  finishedStatus,
  type ResponseEcho,
  type ResponseObject,
  ResponseText,
  responseObject,
  type WrittenResponse,
} from './response-object.ts';
import type { AskedResponse } from './responses-conversation.ts';
import type { ResponsesFields } from './responses-request.ts';
import { ResponsesStreamWriter } from './responses-stream-writer.ts';
import type { ToolTable } from './tool-table.ts';

// Codex counts only events as a sign of life, and disconnects after some seconds without one.
const KEEP_ALIVE_MS = 5_000;
const USUAL_HOSTED_CALLS = 8;
const MOST_HOSTED_CALLS = 64;

/** Facts besides the body, for the answer to a request. */
export interface ResponseContext extends Pick<WireContext, 'answerId' | 'created'> {
  /** Whether the response is stored. */
  readonly stored: boolean;
}

/** A request of this format, with the states of its response. */
export interface OpenedResponse extends TextRequest {
  readonly fields: ResponsesFields;
  /** The response before it has begun. */
  queued(): ResponseObject;
  /** The response for a whole answer, equal to that in the last event of its stream. */
  ended(reply: Reply): ResponseObject;
  /** The same response to store, which takes no object of it. */
  written(reply: Reply): WrittenResponse;
  /** The response of a stream that fails now; `undefined` if its client was sent nothing yet. */
  failed(fault: Fault): ResponseObject | undefined;
}

/** Opens a request of the responses format. */
export function openResponse(
  { fields, conversationId }: ReadResponse,
  { conversation, table }: AskedResponse,
  { answerId, created, stored }: ResponseContext,
): OpenedResponse {
  const include = fields.include ?? [];
  const form: ItemForm = {
    answerId,
    table,
    summarises: Boolean(fields.reasoning?.summary),
    seals: include.includes('reasoning.encrypted_content'),
    showsResults: include.includes('file_search_call.results'),
  };
  const echo: ResponseEcho = {
    id: `resp_${answerId}`,
    created,
    model: fields.model,
    fields,
    stored,
    conversationId,
    maxOutputTokens: conversation.sampling.maxTokens,
  };
  let completed: number | undefined;
  // Asked for twice if the response is stored, and the same both times.
  const completedSeconds = () => (completed ??= nowSeconds());
  const endedAs = (reply: Reply) => wholeAnswer(echo, form, { ...reply, completed: completedSeconds() });
  let writer: ResponsesStreamWriter | undefined;
  return {
    fields,
    conversation,
    hosted: hostedRequest(table, fields),
    streaming: fields.stream ?? false,
    countFirst: false,
    showsKnowledge: includesKnowledge(include),
    nextPingMs: KEEP_ALIVE_MS,
    reply: (reply) => {
      const { named, state, output } = endedAs(reply);
      return new ResponseText(named).write(
        state,
        output.map((item) => JSON.stringify(item)),
      );
    },
    writer: () => {
      const wasQueued = fields.background ?? false;
      writer = new ResponsesStreamWriter(echo, form, { nowSeconds: completedSeconds, wasQueued });
      return writer;
    },
    ended: (reply) => {
      const { named, state, output } = endedAs(reply);
      return responseObject(named, state, output);
    },
    written: (reply) => {
      const { named, state, output } = endedAs(reply);
      return {
        id: echo.id,
        status: finishedStatus(state.reason),
        model: named.model,
        isBackground: fields.background ?? false,
        echo: new ResponseText(named).write(state, []),
        output,
      };
    },
    failed: (fault) => writer?.failed(fault),
    queued: () => responseObject(echo, { status: 'queued' }, []),
  };
}

/** The hosted tools of a request, if it has some. */
function hostedRequest({ hosted }: ToolTable, fields: ResponsesFields): HostedRequest | undefined {
  if (hosted.size === 0) return undefined;
  const mostCalls = Math.min(MOST_HOSTED_CALLS, Math.max(1, fields.max_tool_calls ?? USUAL_HOSTED_CALLS));
  return { tools: hosted, mostCalls };
}

function wholeAnswer(
  echo: ResponseEcho,
  form: ItemForm,
  { blocks, reason, usage, standIn, knowledge, completed }: Reply & { readonly completed: number },
) {
  const state = { status: 'finished', reason, usage, knowledge, completed } as const;
  const named = standIn === undefined ? echo : { ...echo, model: standIn };
  return { named, state, output: outputItems(blocks, reason, form) };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
