import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import type { Part, ToolCall } from '../../conversation.ts';
import { contentParts, readableText } from './content-parts.ts';
import type { ContentField, MessageFields } from './messages-request-schema.ts';

/** One message, with tool results separate from its content. */
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

/** A tool result; its call may be missing. */
export interface ToolResult {
  readonly callId: string | undefined;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

/** Reads one message, whose content is at this path; `undefined` if it has nothing for the model. */
export function readUtterance(message: MessageFields, path: string): Utterance | undefined {
  switch (message.role) {
    case 'assistant':
      return readAssistant(message.content);
    case 'user':
      return readUser(message.content, path);
    case 'system':
      return readReminder(message.content, path);
  }
}

function readAssistant(content: ContentField): AssistantUtterance | undefined {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = blocks.map(assistantText).join('');
  const toolCalls = blocks.flatMap(toolCall);
  return text === '' && toolCalls.length === 0 ? undefined : { isAssistant: true, text, toolCalls };
}

function assistantText(block: JsonRecord): string {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      return '';
    default:
      return readableText(block) ?? '';
  }
}

function toolCall(block: JsonRecord): readonly ToolCall[] {
  const { type, name, input } = block;
  const id = idOf(block.id);
  if (type !== 'tool_use' || id === undefined || typeof name !== 'string') return [];
  return [{ id, name, arguments: isRecord(input) ? JSON.stringify(input) : '{}' }];
}

// An empty id identifies no call.
function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readUser(content: ContentField, path: string): UserUtterance | undefined {
  if (typeof content === 'string')
    return { isAssistant: false, results: [], parts: contentParts(content, path) };
  const results: ToolResult[] = [];
  const parts: Part[] = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'tool_result') results.push(toolResult(block, `${path}[${index}]`));
    else parts.push(...contentParts(block, `${path}[${index}]`));
  }
  return results.length + parts.length === 0 ? undefined : { isAssistant: false, results, parts };
}

function toolResult(block: JsonRecord, path: string): ToolResult {
  return {
    callId: idOf(block.tool_use_id),
    parts: contentParts(block.content, `${path}.content`),
    isError: block.is_error === true,
  };
}

// Chat templates refuse a later system message. Clients use this tag for such text within user messages.
function readReminder(content: ContentField, path: string): UserUtterance | undefined {
  const parts = contentParts(content, path);
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  const attached = parts.filter((part) => part.type !== 'text');
  if (texts.length === 0)
    return attached.length === 0 ? undefined : { isAssistant: false, results: [], parts: attached };
  const text = `<system-reminder>\n${texts.join('\n\n')}\n</system-reminder>`;
  return { isAssistant: false, results: [], parts: [{ type: 'text', text, isReminder: true }, ...attached] };
}
