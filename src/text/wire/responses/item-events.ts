import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import type { OutputItem } from './output-item.ts';

/** An event before it has a number. */
export type NewEvent = readonly [type: string, fields: object];

/** The events of a text that comes in deltas: a part of an item, or the arguments of a call. */
export interface SpokenEvents {
  readonly opened: readonly NewEvent[];
  /** One delta with the whole text. */
  readonly delta: NewEvent;
  readonly closed: readonly NewEvent[];
}

interface Spoken {
  /** Begins the names of the events of the part; calls have none. */
  readonly part?: string;
  /** Begins the names of the events of its text. */
  readonly text: string;
  /** The member that has the text. */
  readonly field: string;
  readonly more?: object;
}

/** By the type of the part, or of the call. */
const SPOKEN: Readonly<Record<string, Spoken>> = {
  output_text: { part: 'content_part', text: 'output_text', field: 'text', more: { logprobs: [] } },
  refusal: { part: 'content_part', text: 'refusal', field: 'refusal' },
  reasoning_text: { part: 'content_part', text: 'reasoning_text', field: 'text' },
  summary_text: { part: 'reasoning_summary_part', text: 'reasoning_summary_text', field: 'text' },
  function_call: { text: 'function_call_arguments', field: 'arguments' },
  custom_tool_call: { text: 'custom_tool_call_input', field: 'input' },
};

/** The events of everything that an item says; hosted tools say nothing. */
export function spokenEvents(item: OutputItem, index: number): readonly SpokenEvents[] {
  const at = { item_id: item.id, output_index: index };
  const summary = partsOf(item.summary).flatMap((part, place) =>
    spoken(part, { ...at, summary_index: place }),
  );
  const content = partsOf(item.content).flatMap((part, place) =>
    spoken(part, { ...at, content_index: place }),
  );
  return [...summary, ...content, ...spoken(item, at)];
}

/** The events of a part, from its beginning to its end. */
export function wholeEvents({ opened, delta, closed }: SpokenEvents): readonly NewEvent[] {
  const isSilent =
    opened.length > 0 && Object.entries(delta[1]).some(([name, text]) => name === 'delta' && !text);
  return [...opened, ...(isSilent ? [] : [delta]), ...closed];
}

/** One event of a stream. */
export function eventText(type: string, sequence: number, fields: object): string {
  const data = JSON.stringify({ type, sequence_number: sequence, ...fields });
  return `event: ${type}\ndata: ${data}\n\n`;
}

function spoken(part: JsonRecord, at: object): readonly SpokenEvents[] {
  const names = SPOKEN[String(part.type)];
  if (names === undefined) return [];
  const { part: name, text, field, more } = names;
  const said = { [field]: part[field], ...more };
  const called = part.type === 'function_call' ? { name: part.name } : {};
  const done: NewEvent = [`response.${text}.done`, { ...at, ...called, ...said }];
  const delta: NewEvent = [`response.${text}.delta`, { ...at, ...more, delta: part[field] }];
  if (name === undefined) return [{ opened: [], delta, closed: [done] }];
  // Annotations come with the whole part.
  const empty = { ...part, [field]: '', ...('annotations' in part && { annotations: [] }) };
  return [
    {
      opened: [[`response.${name}.added`, { ...at, part: empty }]],
      delta,
      closed: [done, [`response.${name}.done`, { ...at, part }]],
    },
  ];
}

function partsOf(list: unknown): readonly JsonRecord[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
