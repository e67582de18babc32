import type { Conversation, OutputForm, Sampling, Tool, ToolChoice } from '../../conversation.ts';
import { type AskedConversation, unreadConversation } from '../../passthrough.ts';
import { outputTokens } from '../../text-limits.ts';
import { invalidField, parseEach } from '../parse-field.ts';
import type { ScannedBody } from '../scanned-body.ts';
import { readMessages } from './chat-messages.ts';
import { type RequestFields, type ShortFields, toolSchema } from './chat-request.ts';

/** The conversation of a parsed request. */
export function conversationOf(fields: RequestFields): Conversation {
  const tools = toolsOf(fields.tools ?? []);
  return {
    ...readMessages(fields.messages),
    tools,
    toolChoice: toolChoiceOf(fields, tools),
    parallelToolCalls: fields.parallel_tool_calls ?? true,
    output: outputOf(fields),
    sampling: samplingOf(fields),
    templateArguments: fields.chat_template_kwargs ?? {},
  };
}

/** The conversation of a scanned body; turns and tools are parsed on first use. */
export function scannedConversation(fields: ShortFields, scanned: ScannedBody): AskedConversation {
  let whole: Pick<Conversation, 'turns' | 'tools'> | undefined;
  const read = () => {
    whole ??= readLists(scanned.parsed());
    return whole;
  };
  const unread = {
    system: scanned.system,
    toolChoice: isAbsent(fields.tool_choice) ? ('auto' as const) : toolChoiceOf(fields, read().tools),
    parallelToolCalls: fields.parallel_tool_calls ?? true,
    output: outputOf(fields),
    sampling: samplingOf(fields),
    templateArguments: fields.chat_template_kwargs ?? {},
  };
  const { messages, tools, isLasting, lease, hash } = scanned.lists;
  return unreadConversation(unread, { messages, tools, isLasting, lease, hash, read });
}

function readLists({ messages, tools }: Readonly<Record<string, unknown>>) {
  return {
    turns: readMessages(Array.isArray(messages) ? messages : []).turns,
    tools: toolsOf(Array.isArray(tools) ? tools : []),
  };
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function toolsOf(tools: readonly unknown[]): readonly Tool[] {
  return parseEach(toolSchema, tools, 'tools').map(({ function: tool }) => ({
    name: tool.name,
    description: tool.description ?? undefined,
    parameters: tool.parameters ?? undefined,
    strict: tool.strict ?? false,
  }));
}

function toolChoiceOf({ tool_choice: choice }: ShortFields, tools: readonly Tool[]): ToolChoice {
  if (choice === null || choice === undefined || tools.length === 0) return 'auto';
  if (typeof choice === 'string') return choice;
  // Newer forms, such as a list of allowed tools, only restrict the model.
  if (choice.type !== 'function') return 'auto';
  const name = choice.function?.name;
  if (tools.some((tool) => tool.name === name) && name !== undefined) return { name };
  throw invalidField('tool_choice.function.name', { expected: 'the name of one of `tools`', got: name });
}

function outputOf({ response_format: format }: ShortFields): OutputForm {
  switch (format?.type) {
    case 'json_object':
      return { type: 'json' };
    case 'json_schema':
      return { type: 'schema', name: format.json_schema.name ?? 'answer', schema: format.json_schema.schema };
    case 'text':
    case undefined:
      return { type: 'text' };
  }
}

function samplingOf(fields: ShortFields): Sampling {
  return {
    maxTokens: outputTokens(fields.max_completion_tokens ?? fields.max_tokens),
    temperature: fields.temperature ?? undefined,
    topP: fields.top_p ?? undefined,
    topK: undefined,
    stop: stopSequences(fields),
    seed: fields.seed ?? undefined,
    presencePenalty: fields.presence_penalty ?? undefined,
    frequencyPenalty: fields.frequency_penalty ?? undefined,
  };
}

function stopSequences({ stop }: ShortFields): readonly string[] {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? []);
  return sequences.filter((sequence) => sequence !== '');
}
