import { isRecord, stringOf } from '../../../lib/json-record.ts';
import type { Conversation, OutputForm, Sampling, Tool, ToolChoice } from '../../conversation.ts';
import type { IsHostedOpen } from '../../hosted-tool.ts';
import { MOST_OUTPUT_TOKENS, outputTokens } from '../../text-limits.ts';
import { invalidField } from '../parse-field.ts';
import type { AskedItems } from './asked-items.ts';
import { addItemTools, readItems } from './input-items.ts';
import type { ResponsesFields } from './responses-request.ts';
import { ToolTable } from './tool-table.ts';

/** A conversation, and the client's names of its tools. */
export interface AskedResponse {
  readonly conversation: Conversation;
  readonly table: ToolTable;
}

/** The conversation of a request. */
export function responsesConversation(
  fields: ResponsesFields,
  items: AskedItems,
  isHostedOpen?: IsHostedOpen,
): AskedResponse {
  const table = new ToolTable(isHostedOpen);
  table.add(fields.tools ?? [], 'tools');
  addItemTools(items, table);
  const { system, turns } = readItems(items, table);
  const instructions = fields.instructions ? [fields.instructions] : [];
  const texts = [...instructions, ...system];
  const conversation = {
    system: texts.length === 0 ? undefined : texts.join('\n\n'),
    turns,
    ...toolsOf(fields.tool_choice, table),
    parallelToolCalls: fields.parallel_tool_calls ?? true,
    output: outputOf(fields),
    sampling: samplingOf(fields),
    templateArguments: thinkingOf(fields),
  };
  return { conversation, table };
}

/** The input of a request as items. */
export function inputItems({ input }: ResponsesFields): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return input ?? [];
}

function toolsOf(
  choice: ResponsesFields['tool_choice'],
  table: ToolTable,
): { readonly tools: readonly Tool[]; readonly toolChoice: ToolChoice } {
  const { tools } = table;
  if (choice === null || choice === undefined) return { tools, toolChoice: 'auto' };
  if (typeof choice === 'string') return { tools, toolChoice: tools.length === 0 ? 'auto' : choice };
  if (choice.type === 'allowed_tools') return allowedTools(choice, table);
  return { tools, toolChoice: { name: requireTool(choice, table, 'tool_choice') } };
}

function allowedTools(choice: Readonly<Record<string, unknown>>, table: ToolTable) {
  const listed: readonly unknown[] = Array.isArray(choice.tools) ? choice.tools : [];
  const names = listed.map((tool, index) => requireTool(tool, table, `tool_choice.tools[${index}]`));
  const toolChoice = choice.mode === 'required' ? ('required' as const) : ('auto' as const);
  return { tools: table.narrow(new Set(names)), toolChoice };
}

function requireTool(choice: unknown, table: ToolTable, path: string): string {
  const { name: given, namespace, type } = isRecord(choice) ? choice : {};
  // A hosted tool is named by its type alone.
  const name = stringOf(given) ?? (table.hosted.has(String(type)) ? String(type) : undefined);
  const sent = name === undefined ? undefined : table.sentName(name, stringOf(namespace));
  if (sent !== undefined) return sent;
  throw invalidField(path, { expected: 'a function or custom tool of `tools`', got: name ?? choice });
}

function outputOf({ text }: ResponsesFields): OutputForm {
  const format = text?.format;
  switch (format?.type) {
    case 'json_object':
      return { type: 'json' };
    case 'json_schema':
      return { type: 'schema', name: format.name ?? 'answer', schema: format.schema };
    case 'text':
    case undefined:
      return { type: 'text' };
  }
}

// Codex sets no limit, and treats a truncated answer as a failure.
function samplingOf(fields: ResponsesFields): Sampling {
  return {
    maxTokens: outputTokens(fields.max_output_tokens ?? MOST_OUTPUT_TOKENS),
    temperature: fields.temperature ?? undefined,
    topP: fields.top_p ?? undefined,
    topK: undefined,
    stop: [],
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
  };
}

/** The thinking switches of model families. */
function thinkingOf({ reasoning }: ResponsesFields): Readonly<Record<string, unknown>> {
  const effort = reasoning?.effort;
  if (!effort) return {};
  return effort === 'none' ? { enable_thinking: false } : { enable_thinking: true, reasoning_effort: effort };
}
