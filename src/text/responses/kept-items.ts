import { isRecord } from '../../lib/json-record.ts';
import { kindOf } from '../wire/responses/asked-items.ts';
import type { KeptItem } from './response-store.ts';

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
};

/** An id of a client that can be stored and found. */
const USABLE_ID = /^[\x21-\x7e]{1,128}$/;

/** Input items as they are stored and listed: each has an id and a type, and messages have parts. `made` begins the ids that are made here. */
export function keptItems(items: readonly unknown[], made: string): readonly KeptItem[] {
  return items.filter(isRecord).map((item, index) => {
    const type = kindOf(item) ?? 'unknown';
    const given = typeof item.id === 'string' && USABLE_ID.test(item.id) ? item.id : undefined;
    const id = given ?? `${PREFIXES[type] ?? 'item'}_${made}_${index}`;
    if (type !== 'message') return { ...item, id, type };
    return { status: 'completed', ...item, id, type, content: contentParts(item.role, item.content) };
  });
}

function contentParts(role: unknown, content: unknown): unknown {
  if (typeof content !== 'string') return content ?? [];
  if (role === 'assistant') return [{ type: 'output_text', text: content, annotations: [], logprobs: [] }];
  return [{ type: 'input_text', text: content }];
}
