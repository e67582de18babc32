import type { Part, ToolCall } from '../../conversation.ts';
import { contentParts, readableText } from './content-parts.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import type { ContentField, MessageFields } from './messages-request-schema.ts';

/** One message, with the results of tools set apart from what is said. */
export type Utterance = AssistantUtterance | UserUtterance;

export interface AssistantUtterance {
  readonly isAssistant: true;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface UserUtterance {
  readonly isAssistant: false;
  readonly results: readonly ToolResult[];
  readonly parts: readonly Part[];
}

/** What a tool gave back, whoever called it. */
export interface ToolResult {
  readonly callId: string | undefined;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

/** Reads one message; `undefined` where nothing in it is of use to the model. */
export function readUtterance(message: MessageFields): Utterance | undefined {
  switch (message.role) {
    case 'assistant':
      return readAssistant(message.content);
    case 'user':
      return readUser(message.content);
    case 'system':
      return readReminder(message.content);
  }
}

function readAssistant(content: ContentField): AssistantUtterance | undefined {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = blocks.map(assistantText).join('');
  const toolCalls = blocks.flatMap(toolCall);
  return text === '' && toolCalls.length === 0 ? undefined : { isAssistant: true, text, toolCalls };
}

function assistantText(block: JsonObject): string {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      return '';
    default:
      return readableText(block) ?? '';
  }
}

function toolCall(block: JsonObject): readonly ToolCall[] {
  const { type, id, name, input } = block;
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return [];
  return [{ id, name, arguments: isJsonObject(input) ? JSON.stringify(input) : '{}' }];
}

function readUser(content: ContentField): UserUtterance | undefined {
  if (typeof content === 'string') return { isAssistant: false, results: [], parts: contentParts(content) };
  const results = content.filter(isToolResult).map(toolResult);
  const parts = contentParts(content.filter((block) => !isToolResult(block)));
  return results.length + parts.length === 0 ? undefined : { isAssistant: false, results, parts };
}

function isToolResult(block: JsonObject): boolean {
  return block.type === 'tool_result';
}

function toolResult(block: JsonObject): ToolResult {
  return {
    callId: typeof block.tool_use_id === 'string' ? block.tool_use_id : undefined,
    parts: contentParts(block.content),
    isError: block.is_error === true,
  };
}

// Chat templates refuse a late system role. The tag is the one that clients use for such text among the user's words.
function readReminder(content: ContentField): UserUtterance | undefined {
  const parts = contentParts(content);
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  const attached = parts.filter((part) => part.type !== 'text');
  if (texts.length === 0)
    return attached.length === 0 ? undefined : { isAssistant: false, results: [], parts: attached };
  const text = `<system-reminder>\n${texts.join('\n\n')}\n</system-reminder>`;
  return { isAssistant: false, results: [], parts: [{ type: 'text', text, isReminder: true }, ...attached] };
}
