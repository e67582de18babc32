import type { Block } from '../../text-event.ts';
import type { ItemForm } from './output-item.ts';
import type { ToolTable } from './tool-table.ts';

export function itemId(block: Block, index: number, { answerId, table }: ItemForm): string {
  return `${prefixOf(block, table)}_${answerId}_${index}`;
}

const CALL_PREFIXES = { function: 'fc', custom: 'ctc', file_search: 'fs', image_generation: 'ig' } as const;

function prefixOf(block: Block, table: ToolTable): string {
  switch (block.type) {
    case 'text':
      return 'msg';
    case 'reasoning':
      return 'rs';
    case 'tool-call':
      return CALL_PREFIXES[table.clientTool(block.name).kind];
  }
}
