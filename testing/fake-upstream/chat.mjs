import { BAD_BYTES_MARK, composeReply } from './chat-reply.mjs';
import { UPSTREAM_DETAIL } from './failure-modes.mjs';

const CREATED = 1_700_000_000;
const ERROR_BODY = {
  error: { message: UPSTREAM_DETAIL, type: 'InternalServerError', param: null, code: 500 },
};
const BAD_BYTES = Buffer.from([0xff, 0xfe, 0xc3]);

/**
 * The answer to `POST /v1/chat/completions`, in the pieces in which it goes over the wire.
 * @param {{ body: any, plan: any, mode: string | undefined, model: string, serial: number }} order
 */
export function answerChat({ body, plan, mode, model, serial }) {
  const reply = composeReply(body, plan, mode);
  const frame = { id: `chatcmpl-fake-${serial}`, created: CREATED, model };
  if (body.stream !== true) return jsonAnswer(completion(frame, reply, mode));
  const includeUsage = body.stream_options?.include_usage === true;
  const isAskedToCount = includeUsage && body.stream_options.continuous_usage_stats === true;
  const countsInEveryChunk =
    mode === 'usage-in-every-chunk' || (isAskedToCount && mode !== 'usage-at-the-end');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    isStream: true,
    pieces: [...streamEvents({ frame, reply, mode, includeUsage, countsInEveryChunk })].map(toBytes),
  };
}

/** A whole JSON body. */
export function jsonAnswer(value, status = 200) {
  return {
    status,
    contentType: 'application/json',
    isStream: false,
    pieces: [toBytes(JSON.stringify(value))],
  };
}

function completion(frame, reply, mode) {
  if (mode === 'error-event') return ERROR_BODY;
  const message = {
    ...(mode === 'no-role-chunk' ? {} : { role: 'assistant' }),
    content: reply.text === '' && reply.toolCalls.length > 0 ? null : reply.text,
    ...(reply.reasoning === '' ? {} : { [reply.reasoningField]: reply.reasoning }),
    ...(reply.toolCalls.length > 0 ? { tool_calls: reply.toolCalls } : {}),
    ...(mode === 'null-fragments' ? nullsFor(reply) : {}),
  };
  const finish = mode === 'no-finish-reason' ? null : reply.finishReason;
  const choice = { index: 0, message, logprobs: null, finish_reason: finish, stop_reason: reply.stopReason };
  return { ...frame, object: 'chat.completion', choices: [choice], usage: reply.usage };
}

/** Members that some servers send as null. */
function nullsFor({ toolCalls, reasoning, reasoningField }) {
  return {
    refusal: null,
    function_call: null,
    ...(toolCalls.length > 0 ? {} : { tool_calls: null }),
    ...(reasoning === '' ? { [reasoningField]: null } : {}),
  };
}

function* streamEvents({ frame, reply, mode, includeUsage, countsInEveryChunk }) {
  const chunk = (choices, usage) =>
    event({ ...frame, object: 'chat.completion.chunk', choices, ...(usage === undefined ? {} : { usage }) });
  let said = 0;
  for (const choice of streamChoices(reply, mode)) {
    yield chunk([choice], countsInEveryChunk ? usageSoFar(reply.usage, said) : undefined);
    said += 1;
  }
  if (mode === 'error-event') {
    yield event(ERROR_BODY);
    return;
  }
  if (includeUsage) yield chunk([], reply.usage);
  if (mode !== 'missing-done') yield 'data: [DONE]\n\n';
}

/** Like vLLM, with a token per chunk so far. */
function usageSoFar({ prompt_tokens, completion_tokens }, said) {
  const soFar = Math.min(said, completion_tokens);
  return { prompt_tokens, total_tokens: prompt_tokens + soFar, completion_tokens: soFar };
}

function streamChoices(reply, mode) {
  const deltas = streamDeltas(reply, mode);
  const choices = deltas.map((delta) => ({ index: 0, delta, logprobs: null, finish_reason: null }));
  const last = choices.at(-1);
  const finish = { finish_reason: reply.finishReason, stop_reason: reply.stopReason };
  if (mode === 'no-finish-reason' || mode === 'error-event') return choices;
  if (mode === 'finish-merged-with-text' && last) return [...choices.slice(0, -1), { ...last, ...finish }];
  return [
    ...choices,
    { index: 0, delta: mode === 'null-fragments' ? nullDelta({}) : {}, logprobs: null, ...finish },
  ];
}

function streamDeltas(reply, mode) {
  const deltas = [
    ...reply.reasoningPieces.map((text) => ({ [reply.reasoningField]: text })),
    ...reply.textPieces.map((text) => ({ content: text })),
    ...reply.toolFragments.map((fragment) => ({ tool_calls: [fragment] })),
  ];
  if (mode === 'no-role-chunk') return deltas;
  const opened = [{ role: 'assistant', content: '' }, ...deltas];
  return mode === 'null-fragments' ? opened.map(nullDelta) : opened;
}

function nullDelta(delta) {
  const nulls = { role: null, content: null, reasoning_content: null, tool_calls: null, refusal: null };
  if (delta.tool_calls === undefined) return { ...nulls, ...delta };
  const fragments = delta.tool_calls.map((fragment) => ({
    id: null,
    type: null,
    ...fragment,
    function: { name: null, ...fragment.function },
  }));
  return { ...nulls, tool_calls: fragments };
}

function event(value) {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toBytes(text) {
  if (!text.includes(BAD_BYTES_MARK)) return Buffer.from(text);
  return Buffer.concat(
    text.split(BAD_BYTES_MARK).flatMap((part, index) => [...(index ? [BAD_BYTES] : []), Buffer.from(part)]),
  );
}
