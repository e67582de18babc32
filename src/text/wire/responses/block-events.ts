import type { Block } from '../../text-event.ts';
import { spokenEvents } from './item-events.ts';
import { itemId } from './item-id.ts';
import { beginMessage, messageDelta } from './message-events.ts';
import { type DeltaForm, HEADS, headOf, type NumberedEvents } from './numbered-events.ts';
import {
  closedItem,
  type EndedItem,
  type ItemForm,
  type ItemStatus,
  type OutputItem,
  openItem,
} from './output-item.ts';
import { membersOf } from './response-object.ts';

/** The steps of hosted tools while they run. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  file_search_call: ['in_progress', 'searching'],
  image_generation_call: ['in_progress', 'generating'],
};

/** Ends the members of a delta whose text is empty. */
const NO_TEXT = '""';

/** A block whose item has begun. */
export interface BegunBlock {
  readonly block: Block;
  readonly id: string;
  readonly index: number;
  /** Its first events. */
  readonly events: string;
  /** Whether a hosted tool runs; its text is an outcome, which is shown by the item alone. */
  readonly isHosted: boolean;
  /** Absent: its text comes when it is complete. */
  readonly delta: DeltaForm | undefined;
}

export function beginBlock(events: NumberedEvents, block: Block, index: number, form: ItemForm): BegunBlock {
  if (block.type !== 'text') return beginItem(events, block, index, form);
  const place = { id: itemId(block, index, form), index };
  return {
    block,
    id: place.id,
    index,
    events: beginMessage(events, place),
    isHosted: false,
    delta: messageDelta(place),
  };
}

function beginItem(events: NumberedEvents, block: Block, index: number, form: ItemForm): BegunBlock {
  const item = openItem(block, index, form);
  const steps = STEPS[item.type];
  const [spoken] = spokenEvents(closedItem({ block, text: '', index, status: 'in_progress' }, form), index);
  // The input of a custom call is within its arguments, so it is known only when they are complete.
  const delta = item.type === 'custom_tool_call' ? undefined : spoken?.delta;
  const added = events.item(HEADS.itemAdded, index, JSON.stringify(item));
  const stepped = steps?.map((step) => stepEvent(events, item, index, step)).join('') ?? '';
  return {
    block,
    id: item.id,
    index,
    events: added + stepped + events.all(spoken?.opened ?? []),
    isHosted: steps !== undefined,
    delta: delta && { head: headOf(delta[0]), fields: `,${membersOf(delta[1]).slice(0, -NO_TEXT.length)}` },
  };
}

/** The last events of an item other than a message, and the item as JSON. */
export function endItem(
  events: NumberedEvents,
  ended: {
    readonly block: Block;
    readonly text: string;
    readonly index: number;
    readonly status: ItemStatus;
  },
  form: ItemForm,
): EndedItem {
  const { index } = ended;
  const item = closedItem(ended, form);
  const [spoken] = spokenEvents(item, index);
  const late = item.type === 'custom_tool_call' && spoken !== undefined ? [spoken.delta] : [];
  const said = events.all([...late, ...(spoken?.closed ?? [])]);
  const hasRun = item.type in STEPS && item.status === 'completed';
  const ran = hasRun ? stepEvent(events, item, index, 'completed') : '';
  return { events: said + ran, item: JSON.stringify(item) };
}

function stepEvent(events: NumberedEvents, { id, type }: OutputItem, index: number, step: string): string {
  return events.one(headOf(`response.${type}.${step}`), membersOf({ item_id: id, output_index: index }));
}
