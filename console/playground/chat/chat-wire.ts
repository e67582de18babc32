import { fields, items, numberIn, textIn, toolOf, withCall } from './fields.ts';
import { askForSources, asksForSources, sourcesIn } from './sources.ts';
import { type ChatAnswer, type ChatForm, NO_ANSWER, type Turn, type Wire } from './turn.ts';

/** `POST /v1/chat/completions`. */
export const chatWire: Wire = { path: '/v1/chat/completions', request, form, event, whole };

function request({ model, system, turns, temperature, maxTokens, stream, tools, schema, sources }: ChatForm) {
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...turns.map(message)],
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
    ...askForSources(sources),
  };
}

function message(turn: Turn) {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.call, content: turn.text };
  if (turn.role === 'user' || turn.calls === undefined) return { role: turn.role, content: turn.text };
  const calls = turn.calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  return { role: 'assistant', content: turn.text, tool_calls: calls };
}

function form(value: unknown): ChatForm {
  const body = fields(value);
  const messages = items(body.messages);
  const system = messages.find(({ role }) => role === 'system');
  return {
    model: textIn(body.model),
    system: textIn(system?.content),
    turns: messages.filter(({ role }) => role !== 'system').map(turn),
    temperature: numberIn(body.temperature),
    maxTokens: numberIn(body.max_tokens),
    stream: body.stream === true,
    tools: items(body.tools)
      .map((tool) => fields(tool.function))
      .map((tool) => toolOf(tool.name, tool.description, tool.parameters)),
    schema: fields(fields(body.response_format).json_schema).schema,
    sources: asksForSources(body),
  };
}

function turn(value: Readonly<Record<string, unknown>>): Turn {
  const text = textIn(value.content);
  if (value.role === 'tool') return { role: 'tool', call: textIn(value.tool_call_id), text };
  if (value.role === 'user') return { role: 'user', text };
  return {
    role: 'assistant',
    text,
    ...(value.tool_calls !== undefined && { calls: callsOf(value.tool_calls) }),
  };
}

function callsOf(value: unknown) {
  return items(value).map((call) => ({
    id: textIn(call.id),
    name: textIn(fields(call.function).name),
    arguments: textIn(fields(call.function).arguments),
  }));
}

function event(answer: ChatAnswer, _event: string, data: unknown): ChatAnswer {
  const chunk = fields(data);
  if (chunk.error !== undefined) return { ...answer, problem: textIn(fields(chunk.error).message) };
  const choice = items(chunk.choices)[0];
  const delta = fields(choice?.delta);
  const usage = fields(chunk.usage);
  let { calls } = answer;
  for (const call of items(delta.tool_calls)) {
    const part = fields(call.function);
    calls = withCall(calls, numberIn(call.index) ?? 0, {
      id: textIn(call.id),
      name: textIn(part.name),
      arguments: textIn(part.arguments),
    });
  }
  return {
    ...answer,
    text: answer.text + textIn(delta.content),
    thinking: answer.thinking + textIn(delta.reasoning_content ?? delta.reasoning),
    calls,
    finish: textIn(choice?.finish_reason) || answer.finish,
    inputTokens: numberIn(usage.prompt_tokens) ?? answer.inputTokens,
    outputTokens: numberIn(usage.completion_tokens) ?? answer.outputTokens,
    sources: sourcesIn(chunk) ?? answer.sources,
  };
}

function whole(body: unknown): ChatAnswer {
  const choice = fields(items(fields(body).choices)[0]);
  const reply = fields(choice.message);
  const usage = fields(fields(body).usage);
  return {
    ...NO_ANSWER,
    text: textIn(reply.content),
    thinking: textIn(reply.reasoning_content ?? reply.reasoning),
    calls: callsOf(reply.tool_calls),
    finish: textIn(choice.finish_reason) || null,
    inputTokens: numberIn(usage.prompt_tokens),
    outputTokens: numberIn(usage.completion_tokens),
    sources: sourcesIn(body),
  };
}
