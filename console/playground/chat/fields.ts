import { isObject } from '../json-text.ts';
import type { Tool, ToolCall } from './turn.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reading of answers that come from outside: what is missing or of another kind is empty. */
export function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function items(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function toolOf(name: unknown, description: unknown, parameters: unknown): Tool {
  return { name: textIn(name), ...(typeof description === 'string' && { description }), parameters };
}

/** The calls with more of one of them: a new one, or more of its arguments. */
export function withCall(
  calls: readonly ToolCall[],
  index: number,
  more: Partial<ToolCall>,
): readonly ToolCall[] {
  const before = calls[index] ?? { id: '', name: '', arguments: '' };
  const next = {
    id: more.id || before.id,
    name: more.name || before.name,
    arguments: before.arguments + (more.arguments ?? ''),
  };
  return calls.length <= index ? [...calls, next] : calls.map((call, at) => (at === index ? next : call));
}

/** JSON of a call's arguments; an object where they are none. */
export function parsedArguments(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}
