import { isRecord } from '../../../lib/json-record.ts';
import type { ResponsesFields } from './responses-request.ts';

/** The settings of a response, as requested and as they count here. */
export interface ResponseSettings {
  readonly fields: ResponsesFields;
  /** Whether the response is stored: as requested, unless the stack stores nothing. */
  readonly stored: boolean;
  /** The conversation that the response belongs to. */
  readonly conversationId: string | undefined;
  readonly maxOutputTokens: number;
}

const PLAIN_TEXT = { type: 'text' };

/** The JSON of the settings of a response, to the closing brace. */
export function settingsText(settings: ResponseSettings): string {
  return JSON.stringify(membersOf(settings)).slice(1);
}

function membersOf({ fields, stored, conversationId, maxOutputTokens }: ResponseSettings): object {
  const { effort = null, summary = null } = fields.reasoning ?? {};
  return {
    background: fields.background ?? false,
    conversation: conversationId === undefined ? null : { id: conversationId },
    frequency_penalty: 0,
    instructions: fields.instructions ?? null,
    max_output_tokens: maxOutputTokens,
    max_tool_calls: fields.max_tool_calls ?? null,
    metadata: fields.metadata ?? {},
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: fields.previous_response_id ?? null,
    prompt_cache_key: fields.prompt_cache_key ?? null,
    reasoning: { effort, summary },
    safety_identifier: fields.safety_identifier ?? null,
    service_tier: 'default',
    store: stored,
    temperature: fields.temperature ?? 1,
    text: { ...fields.text, format: fields.text?.format ?? PLAIN_TEXT },
    tool_choice: fields.tool_choice ?? 'auto',
    tools: fields.tools?.map(completeTool) ?? [],
    top_logprobs: 0,
    top_p: fields.top_p ?? 1,
    truncation: fields.truncation ?? 'disabled',
    user: fields.user ?? null,
  };
}

/** A function as strict clients expect it: with every member. */
function completeTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: false, ...tool };
}
