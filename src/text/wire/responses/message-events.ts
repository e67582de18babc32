import { type NewEvent, spokenEvents, wholeEvents } from './item-events.ts';
import { messageText, REFUSAL, refusalPart, textPartText } from './message-parts.ts';
import { type DeltaForm, HEADS, type NumberedEvents } from './numbered-events.ts';
import type { EndedItem, ItemStatus } from './output-item.ts';
import { membersOf } from './response-object.ts';

const NO_TEXT = '""';
const REFUSAL_PART = JSON.stringify(refusalPart(REFUSAL));

/** Where a message stands in its response. */
export interface MessagePlace {
  readonly id: string;
  readonly index: number;
}

/** How a message ended. */
export interface MessageEnd {
  readonly text: string;
  readonly annotations: readonly object[];
  readonly status: ItemStatus;
  /** Whether a refusal follows the text. */
  readonly refused: boolean;
}

/** Begins a message without making an object of it: nearly every answer is one. */
export function beginMessage(events: NumberedEvents, place: MessagePlace): string {
  return (
    addMessage(events, place) +
    events.one(HEADS.partAdded, `${membersOfPlace(place)},"part":${textPartText(NO_TEXT)}`)
  );
}

export function messageDelta(place: MessagePlace): DeltaForm {
  return {
    head: HEADS.textDelta,
    fields: [',', membersOfPlace(place), ',"logprobs":[],"delta":'].join(''),
  };
}

export function endMessage(
  events: NumberedEvents,
  place: MessagePlace,
  { text, annotations, status, refused }: MessageEnd,
): EndedItem {
  const at = membersOfPlace(place);
  const quoted = JSON.stringify(text);
  const part = textPartText(quoted, annotations.length === 0 ? '[]' : JSON.stringify(annotations));
  let said = '';
  for (const [index, annotation] of annotations.entries())
    said += events.one(HEADS.annotationAdded, `${at},${membersOf({ annotation_index: index, annotation })}`);
  said += events.one(HEADS.textDone, `${at},"text":${quoted},"logprobs":[]`);
  said += events.one(HEADS.partDone, `${at},"part":${part}`);
  if (!refused) return { events: said, item: messageText({ ...place, status }, part) };
  said += events.all(refusalEvents(place, [{}, refusalPart(REFUSAL)]));
  return { events: said, item: messageText({ ...place, status }, `${part},${REFUSAL_PART}`) };
}

/** A message that is only a refusal, up to its end. */
export function refusalMessage(events: NumberedEvents, place: MessagePlace): EndedItem {
  const added = addMessage(events, place);
  const said = events.all(refusalEvents(place, [refusalPart(REFUSAL)]));
  return { events: added + said, item: messageText({ ...place, status: 'completed' }, REFUSAL_PART) };
}

function addMessage(events: NumberedEvents, { id, index }: MessagePlace): string {
  return events.item(HEADS.itemAdded, index, messageText({ id, status: 'in_progress' }, ''));
}

/** The events of a refusal, which is the last part of a message. */
function refusalEvents({ id, index }: MessagePlace, content: readonly object[]): readonly NewEvent[] {
  return spokenEvents({ id, type: 'message', content }, index).flatMap(wholeEvents);
}

/** The members of the events of a message that say where they belong. */
function membersOfPlace({ id, index }: MessagePlace): string {
  return `"item_id":"${id}","output_index":${index},"content_index":0`;
}
