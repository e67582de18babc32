import { isRecord } from '../../../lib/json-record.ts';

/** Items in order: those that the request builds on, then its own. */
export interface AskedItems {
  readonly history: readonly unknown[];
  readonly input: readonly unknown[];
}

/** Each item with its name in messages. */
export function* namedItems({
  history,
  input,
}: AskedItems): Generator<readonly [path: string, item: unknown]> {
  for (const [index, item] of history.entries()) yield [`history[${index}]`, item];
  for (const [index, item] of input.entries()) yield [`input[${index}]`, item];
}

/** The kind of an item; messages and references need not name theirs. */
export function kindOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  if (typeof item.type === 'string') return item.type;
  if ('role' in item) return 'message';
  return 'id' in item ? 'item_reference' : undefined;
}
