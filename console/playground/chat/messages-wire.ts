import { fields, items, numberIn, parsedArguments, textIn, toolOf, withCall } from './fields.ts';
import { askForSources, asksForSources, sourcesIn } from './sources.ts';
import { type ChatAnswer, type ChatForm, NO_ANSWER, type Turn, type Wire } from './turn.ts';

/** `max_tokens` is required on this wire. */
const USUAL_MAX_TOKENS = 8000;

/** `POST /v1/messages`. */
export const messagesWire: Wire = { path: '/v1/messages', request, form, event, whole };

function request({ model, system, turns, temperature, maxTokens, stream, tools, schema, sources }: ChatForm) {
  return {
    model,
    max_tokens: maxTokens ?? USUAL_MAX_TOKENS,
    ...(system !== '' && { system }),
    messages: turns.map(message),
    ...(temperature !== null && { temperature }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: parameters,
      })),
    }),
    ...(schema !== undefined && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(stream && { stream: true }),
    ...askForSources(sources),
  };
}

function message(turn: Turn) {
  if (turn.role === 'tool')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: turn.call, content: turn.text }] };
  if (turn.role === 'user' || turn.calls === undefined) return { role: turn.role, content: turn.text };
  const calls = turn.calls.map(({ id, name, arguments: written }) => ({
    type: 'tool_use',
    id,
    name,
    input: parsedArguments(written),
  }));
  return {
    role: 'assistant',
    content: [...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]), ...calls],
  };
}

function form(value: unknown): ChatForm {
  const body = fields(value);
  const maxTokens = numberIn(body.max_tokens);
  return {
    model: textIn(body.model),
    system: textIn(body.system),
    turns: items(body.messages).map(turn),
    temperature: numberIn(body.temperature),
    maxTokens: maxTokens === USUAL_MAX_TOKENS ? null : maxTokens,
    stream: body.stream === true,
    tools: items(body.tools).map((tool) => toolOf(tool.name, tool.description, tool.input_schema)),
    schema: fields(fields(body.output_config).format).schema,
    sources: asksForSources(body),
  };
}

function turn({ role, content }: Readonly<Record<string, unknown>>): Turn {
  if (typeof content === 'string')
    return role === 'user' ? { role: 'user', text: content } : { role: 'assistant', text: content };
  const blocks = items(content);
  const result = blocks.find(({ type }) => type === 'tool_result');
  if (result !== undefined)
    return { role: 'tool', call: textIn(result.tool_use_id), text: textIn(result.content) };
  const text = blocks
    .filter(({ type }) => type === 'text')
    .map((block) => textIn(block.text))
    .join('');
  return { role: 'assistant', text, calls: callsOf(blocks) };
}

function callsOf(blocks: readonly Readonly<Record<string, unknown>>[]) {
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: textIn(block.id),
      name: textIn(block.name),
      arguments: JSON.stringify(block.input ?? {}),
    }));
}

function event(answer: ChatAnswer, _event: string, data: unknown): ChatAnswer {
  const { type, message: begun, content_block: block, delta, usage, error } = fields(data);
  switch (type) {
    case 'message_start':
      return { ...answer, ...tokens(fields(begun).usage, answer) };
    case 'content_block_start': {
      const { type: kind, id, name } = fields(block);
      return kind === 'tool_use'
        ? {
            ...answer,
            calls: withCall(answer.calls, answer.calls.length, { id: textIn(id), name: textIn(name) }),
          }
        : answer;
    }
    case 'content_block_delta':
      return withDelta(answer, fields(delta));
    case 'message_delta':
      return {
        ...answer,
        ...tokens(usage, answer),
        finish: textIn(fields(delta).stop_reason) || answer.finish,
        sources: sourcesIn(data) ?? answer.sources,
      };
    case 'error':
      return { ...answer, problem: textIn(fields(error).message) };
    default:
      return answer;
  }
}

function withDelta(
  answer: ChatAnswer,
  { type, text, thinking, partial_json }: Readonly<Record<string, unknown>>,
): ChatAnswer {
  if (type === 'thinking_delta') return { ...answer, thinking: answer.thinking + textIn(thinking) };
  if (type !== 'input_json_delta') return { ...answer, text: answer.text + textIn(text) };
  return {
    ...answer,
    calls: withCall(answer.calls, Math.max(0, answer.calls.length - 1), { arguments: textIn(partial_json) }),
  };
}

function tokens(usage: unknown, answer: ChatAnswer) {
  const { input_tokens, output_tokens } = fields(usage);
  return {
    inputTokens: numberIn(input_tokens) || answer.inputTokens,
    outputTokens: numberIn(output_tokens) ?? answer.outputTokens,
  };
}

function whole(body: unknown): ChatAnswer {
  const { content, stop_reason, usage } = fields(body);
  const blocks = items(content);
  const joined = (type: string, member: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => textIn(block[member]))
      .join('');
  return {
    ...NO_ANSWER,
    ...tokens(usage, NO_ANSWER),
    text: joined('text', 'text'),
    thinking: joined('thinking', 'thinking'),
    calls: callsOf(blocks),
    finish: textIn(stop_reason) || null,
    sources: sourcesIn(body),
  };
}
