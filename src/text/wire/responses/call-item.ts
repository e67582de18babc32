import { isRecord, tryParseJson } from '../../../lib/json-record.ts';
import type { Block } from '../../text-event.ts';
import type { ItemStatus, OutputItem } from './output-item.ts';
import type { ClientTool } from './tool-table.ts';

interface Call {
  readonly id: string;
  readonly block: Extract<Block, { type: 'tool-call' }>;
  /** The arguments so far. */
  readonly text: string;
  readonly status: ItemStatus;
}

/** The item of a call to a function or custom tool of the client. */
export function callItem(
  { id, block, text, status }: Call,
  { kind, name, namespace }: ClientTool,
): OutputItem {
  const called = { call_id: block.id, name, ...(namespace !== undefined && { namespace }) };
  if (kind === 'custom') {
    const input = status === 'in_progress' ? '' : customInput(text);
    return { id, type: 'custom_tool_call', status, ...called, input };
  }
  const given = text === '' && status !== 'in_progress' ? '{}' : text;
  return { id, type: 'function_call', status, ...called, arguments: given };
}

/** The input of a custom tool, which takes plain text. */
function customInput(argumentsText: string): string {
  const parsed = tryParseJson(argumentsText);
  // A model that ignores the form may have written the text itself.
  return isRecord(parsed) && typeof parsed.input === 'string' ? parsed.input : argumentsText;
}
