import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import type { OutputItem } from './output-item.ts';
import type { ResponseObject } from './response-object.ts';
import { eventText } from './responses-stream-writer.ts';

type NewEvent = readonly [type: string, fields: object];

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

/** The type of the last event. Clients know none for a cancelled response. */
export function endOf(status: string): string {
  const isKnown = status === 'completed' || status === 'failed';
  return `response.${isKnown ? status : 'incomplete'}`;
}

function itemEvents(item: OutputItem, index: number): readonly NewEvent[] {
  const at = { item_id: item.id, output_index: index };
  return [
    ['response.output_item.added', { output_index: index, item: openedItem(item) }],
    ...contentEvents(item, at),
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

function contentEvents(item: OutputItem, at: object): readonly NewEvent[] {
  switch (item.type) {
    case 'message':
      return partsOf(item.content).flatMap((part, index) =>
        messagePart(part, { ...at, content_index: index }),
      );
    case 'reasoning':
      return [
        ...partsOf(item.summary).flatMap((part, index) =>
          textPart({ ...at, summary_index: index }, part, SUMMARY),
        ),
        ...partsOf(item.content).flatMap((part, index) =>
          textPart({ ...at, content_index: index }, part, THOUGHTS),
        ),
      ];
    case 'function_call':
      return [
        ['response.function_call_arguments.delta', { ...at, delta: item.arguments }],
        ['response.function_call_arguments.done', { ...at, name: item.name, arguments: item.arguments }],
      ];
    case 'custom_tool_call':
      return [
        ['response.custom_tool_call_input.delta', { ...at, delta: item.input }],
        ['response.custom_tool_call_input.done', { ...at, input: item.input }],
      ];
    default:
      return [];
  }
}

interface PartEvents {
  readonly part: string;
  readonly text: string;
}

const SUMMARY: PartEvents = {
  part: 'response.reasoning_summary_part',
  text: 'response.reasoning_summary_text',
};
const THOUGHTS: PartEvents = { part: 'response.content_part', text: 'response.reasoning_text' };
const TEXT: PartEvents = { part: 'response.content_part', text: 'response.output_text' };

function messagePart(part: JsonRecord, at: object): readonly NewEvent[] {
  if (part.type === 'output_text') return textPart({ ...at }, part, TEXT, { logprobs: [] });
  const { refusal } = part;
  return [
    ['response.content_part.added', { ...at, part: { ...part, refusal: '' } }],
    ['response.refusal.delta', { ...at, delta: refusal }],
    ['response.refusal.done', { ...at, refusal }],
    ['response.content_part.done', { ...at, part }],
  ];
}

function textPart(at: object, part: JsonRecord, names: PartEvents, more: object = {}): readonly NewEvent[] {
  const delta: readonly NewEvent[] =
    part.text === '' ? [] : [[`${names.text}.delta`, { ...at, ...more, delta: part.text }]];
  return [
    // Annotations come with the whole part.
    [
      `${names.part}.added`,
      { ...at, part: { ...part, text: '', ...('annotations' in part && { annotations: [] }) } },
    ],
    ...delta,
    [`${names.text}.done`, { ...at, text: part.text, ...more }],
    [`${names.part}.done`, { ...at, part }],
  ];
}

function partsOf(list: unknown): readonly JsonRecord[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
