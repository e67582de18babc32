import type { JsonRecord } from '../../../lib/json-record.ts';
import { eventText, type NewEvent, spokenEvents, wholeEvents } from './item-events.ts';
import type { OutputItem } from './output-item.ts';
import type { ResponseObject } from './response-object.ts';

/** The events of a response that was not streamed, or whose events were not stored: each text comes in one delta. */
export function replayedEvents(response: ResponseObject): readonly string[] {
  const begun = { ...response, status: 'in_progress', output: [], completed_at: null, usage: null };
  const events: readonly NewEvent[] = [
    ['response.created', { response: begun }],
    ['response.in_progress', { response: begun }],
    ...response.output.flatMap(itemEvents),
    [endOf(response.status), { response }],
  ];
  return events.map(([type, fields], sequence) => eventText(type, sequence, fields));
}

/** The types of the events of a response that waits in a queue. */
export const QUEUED_EVENTS = ['response.created', 'response.queued'] as const;

/** Those events. */
export function queuedEvents(response: ResponseObject): readonly string[] {
  return QUEUED_EVENTS.map((type, sequence) => eventText(type, sequence, { response }));
}

/** The type of the last event. Clients know none for a cancelled response. */
export function endOf(status: string): string {
  const isKnown = status === 'completed' || status === 'failed';
  return `response.${isKnown ? status : 'incomplete'}`;
}

function itemEvents(item: OutputItem, index: number): readonly NewEvent[] {
  return [
    ['response.output_item.added', { output_index: index, item: openedItem(item) }],
    ...spokenEvents(item, index).flatMap(wholeEvents),
    ['response.output_item.done', { output_index: index, item }],
  ];
}

/** The item before any of its content. */
function openedItem(item: OutputItem): JsonRecord {
  const opened: Record<string, unknown> = { ...item, status: 'in_progress' };
  for (const list of ['content', 'summary']) if (list in item) opened[list] = [];
  for (const text of ['arguments', 'input']) if (text in item) opened[text] = '';
  for (const found of ['result', 'results']) if (found in item) opened[found] = null;
  delete opened.encrypted_content;
  return opened;
}
