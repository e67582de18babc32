import { isRecord, parseJson } from '../../../lib/json-record.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { HostedOutcome } from '../../hosted-tool.ts';
import type { Block } from '../../text-event.ts';
import type { ItemForm, OutputItem } from './output-item.ts';
import type { HostedType } from './tool-table.ts';

/** The item of a hosted tool that has just begun. */
export function openHostedItem(id: string, type: HostedType): OutputItem {
  const item = { id, type: `${type}_call`, status: 'in_progress' };
  return type === 'file_search' ? { ...item, queries: [], results: null } : { ...item, result: null };
}

/** The item of a hosted tool that has ended; `text` is its outcome. */
export function closedHostedItem(
  { id, type, text }: { readonly id: string; readonly type: HostedType; readonly text: string },
  { showsResults }: Pick<ItemForm, 'showsResults'>,
): OutputItem {
  const outcome = outcomeOf(text);
  const item = { id, type: `${type}_call`, status: 'completed' };
  switch (outcome?.type) {
    case 'found': {
      const results = showsResults ? outcome.passages.map(resultOf) : null;
      return { ...item, queries: [outcome.query], results };
    }
    case 'painted':
      return {
        ...item,
        result: outcome.base64,
        revised_prompt: outcome.prompt,
        size: outcome.size,
        output_format: 'png',
      };
    default:
      return { ...openHostedItem(id, type), status: 'failed' };
  }
}

/** The passages that a block found, if it is a search. */
export function foundPassages(
  block: Block,
  text: string,
  { table }: Pick<ItemForm, 'table'>,
): readonly FoundPassage[] {
  if (block.type !== 'tool-call' || table.clientTool(block.name).kind !== 'file_search') return [];
  const outcome = outcomeOf(text);
  return outcome?.type === 'found' ? outcome.passages : [];
}

function resultOf({ documentId, documentName, page, relevance, text }: FoundPassage): object {
  const attributes = page === undefined ? {} : { page };
  return { file_id: documentId, filename: documentName, score: relevance, text, attributes };
}

/** Written by the gateway itself; `undefined` while the tool runs. */
function outcomeOf(text: string): HostedOutcome | undefined {
  const parsed = text === '' ? undefined : parseJson(text);
  return isRecord(parsed) ? (parsed as HostedOutcome) : undefined;
}
