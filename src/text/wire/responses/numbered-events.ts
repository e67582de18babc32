import type { NewEvent } from './item-events.ts';
import { membersOf } from './response-object.ts';

/** An event up to its sequence number. Joined to one flat text, since a stream has many of them and each piece is copied by itself. */
export function headOf(type: string): string {
  return ['event: ', type, '\ndata: {"type":"', type, '","sequence_number":'].join('');
}

export const HEADS = {
  created: headOf('response.created'),
  inProgress: headOf('response.in_progress'),
  itemAdded: headOf('response.output_item.added'),
  itemDone: headOf('response.output_item.done'),
  partAdded: headOf('response.content_part.added'),
  partDone: headOf('response.content_part.done'),
  textDelta: headOf('response.output_text.delta'),
  textDone: headOf('response.output_text.done'),
  annotationAdded: headOf('response.output_text.annotation.added'),
  completed: headOf('response.completed'),
  incomplete: headOf('response.incomplete'),
  failed: headOf('response.failed'),
} as const;

const KEEPALIVE = headOf('keepalive');

/** The events of a delta: up to their number, and from there to the text. */
export interface DeltaForm {
  readonly head: string;
  readonly fields: string;
}

/** The events of one stream as text. Each takes the next number, so they are made in their order. */
export class NumberedEvents {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** An event with members that are JSON already. */
  one(head: string, members: string): string {
    return `${head}${this.#next++},${members}}\n\n`;
  }

  all(events: readonly NewEvent[]): string {
    return events.map(([type, fields]) => this.one(headOf(type), membersOf(fields))).join('');
  }

  item(head: string, index: number, item: string): string {
    return this.one(head, `"output_index":${index},"item":${item}`);
  }

  delta({ head, fields }: DeltaForm, text: string): string {
    return `${head}${this.#next++}${fields}${JSON.stringify(text)}}\n\n`;
  }

  keepalive(): string {
    return `${KEEPALIVE}${this.#next++}}\n\n`;
  }
}
