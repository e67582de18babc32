import { fields, items, numberIn, textIn, toolOf, withCall } from './fields.ts';
import { askForSources, asksForSources, sourcesIn } from './sources.ts';
import { type ChatAnswer, type ChatForm, NO_ANSWER, type Turn, type Wire } from './turn.ts';

/** `POST /v1/responses`. The playground asks for nothing to be stored. */
export const responsesWire: Wire = { path: '/v1/responses', request, form, event, whole };

function request({ model, system, turns, temperature, maxTokens, stream, tools, schema, sources }: ChatForm) {
  return {
    model,
    ...(system !== '' && { instructions: system }),
    input: turns.flatMap(inputItems),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { max_output_tokens: maxTokens }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool })) }),
    ...(schema !== undefined && {
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
    }),
    ...(stream && { stream: true }),
    ...askForSources(sources),
    store: false,
  };
}

function inputItems(turn: Turn): readonly Readonly<Record<string, unknown>>[] {
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.call, output: turn.text }];
  const said = { role: turn.role, content: turn.text };
  if (turn.role === 'user' || turn.calls === undefined) return [said];
  const calls = turn.calls.map(({ id, name, arguments: written }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: written,
  }));
  return [said, ...calls];
}

function form(value: unknown): ChatForm {
  const body = fields(value);
  return {
    model: textIn(body.model),
    system: textIn(body.instructions),
    turns: items(body.input).reduce<readonly Turn[]>(withItem, []),
    temperature: numberIn(body.temperature),
    maxTokens: numberIn(body.max_output_tokens),
    stream: body.stream === true,
    tools: items(body.tools).map((tool) => toolOf(tool.name, tool.description, tool.parameters)),
    schema: fields(fields(body.text).format).schema,
    sources: asksForSources(body),
  };
}

/** Calls are items of their own here; they belong to what was said before them. */
function withItem(turns: readonly Turn[], item: Readonly<Record<string, unknown>>): readonly Turn[] {
  const last = turns.at(-1);
  if (item.type === 'function_call_output')
    return [...turns, { role: 'tool', call: textIn(item.call_id), text: textIn(item.output) }];
  if (item.type === 'function_call' && last?.role === 'assistant') {
    const call = { id: textIn(item.call_id), name: textIn(item.name), arguments: textIn(item.arguments) };
    return [...turns.slice(0, -1), { ...last, calls: [...(last.calls ?? []), call] }];
  }
  return [...turns, { role: item.role === 'user' ? 'user' : 'assistant', text: textIn(item.content) }];
}

function event(answer: ChatAnswer, name: string, data: unknown): ChatAnswer {
  const { delta, item, response, message, error } = fields(data);
  switch (name) {
    case 'response.output_text.delta':
      return { ...answer, text: answer.text + textIn(delta) };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { ...answer, thinking: answer.thinking + textIn(delta) };
    case 'response.output_item.added': {
      const { type, call_id, name: tool } = fields(item);
      return type === 'function_call'
        ? {
            ...answer,
            calls: withCall(answer.calls, answer.calls.length, { id: textIn(call_id), name: textIn(tool) }),
          }
        : answer;
    }
    case 'response.function_call_arguments.delta':
      return {
        ...answer,
        calls: withCall(answer.calls, Math.max(0, answer.calls.length - 1), { arguments: textIn(delta) }),
      };
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed': {
      const end = whole(response);
      return {
        ...answer,
        inputTokens: end.inputTokens,
        outputTokens: end.outputTokens,
        finish: end.finish,
        problem: end.problem,
        sources: end.sources,
      };
    }
    case 'error':
      return { ...answer, problem: textIn(message) || textIn(fields(error).message) };
    default:
      return answer;
  }
}

function whole(body: unknown): ChatAnswer {
  const { output, status, usage, error, incomplete_details } = fields(body);
  const parts = items(output);
  const said = parts.filter(({ type }) => type === 'message').flatMap(({ content }) => items(content));
  const { input_tokens, output_tokens } = fields(usage);
  return {
    ...NO_ANSWER,
    text: said.map((part) => textIn(part.text)).join(''),
    calls: parts
      .filter(({ type }) => type === 'function_call')
      .map((call) => ({
        id: textIn(call.call_id),
        name: textIn(call.name),
        arguments: textIn(call.arguments),
      })),
    finish: textIn(fields(incomplete_details).reason) || textIn(status) || null,
    inputTokens: numberIn(input_tokens),
    outputTokens: numberIn(output_tokens),
    problem: textIn(fields(error).message) || null,
    sources: sourcesIn(body),
  };
}
