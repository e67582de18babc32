import type { FoundPassage } from '../../found-passage.ts';
import type { ReplyBlock } from '../../reply.ts';
import type { Block, FinishReason } from '../../text-event.ts';
import { annotationsOf } from './annotations.ts';
import { callItem } from './call-item.ts';
import { closedHostedItem, foundPassages, openHostedItem } from './hosted-item.ts';
import { itemId } from './item-id.ts';
import { REFUSAL, refusalPart, textPart } from './message-parts.ts';
import { sealReasoning } from './reasoning-carrier.ts';
import type { ClientTool, HostedType, ToolTable } from './tool-table.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** An output item, as clients see and store it. */
export type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

/** The last events of an item, and the item as JSON. */
export interface EndedItem {
  readonly events: string;
  readonly item: string;
}

/** Settings for the items of one answer. */
export interface ItemForm {
  readonly answerId: string;
  readonly table: ToolTable;
  /** Whether to show reasoning as a summary; some clients show nothing else. */
  readonly summarises: boolean;
  /** Whether items carry their reasoning, for clients that store nothing. */
  readonly seals: boolean;
  /** Whether searches show the passages that they found. */
  readonly showsResults: boolean;
}

/** The items of a whole answer. */
export function outputItems(
  blocks: readonly ReplyBlock[],
  reason: FinishReason,
  form: ItemForm,
): OutputItem[] {
  const last = blocks.length - 1;
  const refused = reason === 'refusal';
  const passages: FoundPassage[] = [];
  const items = blocks.map(({ block, text }, index) => {
    const status = index === last ? lastStatus(reason) : 'completed';
    const item = closedItem(
      { block, text, index, status, refused: refused && index === last, passages },
      form,
    );
    passages.push(...foundPassages(block, text, form));
    return item;
  });
  if (refused && blocks[last]?.block.type !== 'text')
    items.push(closedItem({ block: { type: 'text' }, index: last + 1, status: 'completed', refused }, form));
  return items;
}

/** The status of the item that was open when the answer ended. */
export function lastStatus(reason: FinishReason): ItemStatus {
  return reason === 'length' ? 'incomplete' : 'completed';
}

/** An item that has just begun. */
export function openItem(block: Block, index: number, form: ItemForm): OutputItem {
  const id = itemId(block, index, form);
  const status = 'in_progress';
  switch (block.type) {
    case 'text':
      return { id, type: 'message', status, role: 'assistant', content: [] };
    case 'reasoning':
      return { id, type: 'reasoning', status, summary: [], ...(!form.summarises && { content: [] }) };
    case 'tool-call': {
      const tool = form.table.clientTool(block.name);
      return isHosted(tool) ? openHostedItem(id, tool.kind) : callItem({ id, block, text: '', status }, tool);
    }
  }
}

/** A block that has ended. */
export interface ClosedBlock {
  readonly block: Block;
  readonly text?: string;
  readonly index: number;
  readonly status: ItemStatus;
  readonly refused?: boolean;
  /** The passages that searches found before it, which its text may cite. */
  readonly passages?: readonly FoundPassage[];
}

/** A complete item; without `text` it contains only a refusal. */
export function closedItem(
  { block, text, index, status, refused = false, passages = [] }: ClosedBlock,
  form: ItemForm,
): OutputItem {
  const id = itemId(block, index, form);
  switch (block.type) {
    case 'text': {
      const said = text === undefined ? [] : [textPart(text, annotationsOf(text, passages))];
      return {
        id,
        type: 'message',
        status,
        role: 'assistant',
        content: refused ? [...said, refusalPart(REFUSAL)] : said,
      };
    }
    case 'reasoning':
      return { id, type: 'reasoning', status, ...thoughts(text ?? '', form) };
    case 'tool-call': {
      const tool = form.table.clientTool(block.name);
      return isHosted(tool)
        ? closedHostedItem({ id, type: tool.kind, text: text ?? '' }, form)
        : callItem({ id, block, text: text ?? '', status }, tool);
    }
  }
}

function isHosted(tool: ClientTool): tool is ClientTool & { readonly kind: HostedType } {
  return tool.kind === 'file_search' || tool.kind === 'image_generation';
}

function thoughts(text: string, { summarises, seals }: ItemForm): object {
  const shown = summarises
    ? { summary: [{ type: 'summary_text', text }] }
    : { summary: [], content: [{ type: 'reasoning_text', text }] };
  return seals ? { ...shown, encrypted_content: sealReasoning(text) } : shown;
}
