import type { Fault } from '../../../faults/fault.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { Block, FinishEvent, TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { annotationsOf } from './annotations.ts';
import { foundPassages } from './hosted-item.ts';
import {
  closedItem,
  type ItemForm,
  type ItemStatus,
  itemId,
  lastStatus,
  messageText,
  type OutputItem,
  openItem,
  REFUSAL,
  refusalPart,
  textPartText,
} from './output-item.ts';
import {
  membersOf,
  type ResponseEcho,
  type ResponseObject,
  type ResponseState,
  ResponseText,
} from './response-object.ts';

/** The part of an item that receives deltas, with the heads of its events. */
interface OpenPart {
  readonly added?: string;
  readonly delta?: string;
  readonly done?: string;
  readonly closed?: string;
  /** The events of a hosted tool: while it runs, and when it is done. */
  readonly steps?: readonly string[];
  readonly ran?: string;
  /** The member that holds the part's index within its item, if there is one. */
  readonly indexName?: 'content_index' | 'summary_index';
  readonly textField: string;
  /** The part as JSON, of a text and annotations that are JSON already. */
  readonly part?: (text: string, annotations?: string) => string;
}

/** An event up to its sequence number. Joined to one flat text, since a stream has many of them and each piece is copied by itself. */
function headOf(type: string): string {
  return ['event: ', type, '\ndata: {"type":"', type, '","sequence_number":'].join('');
}

const HEADS = {
  created: headOf('response.created'),
  inProgress: headOf('response.in_progress'),
  keepalive: headOf('keepalive'),
  itemAdded: headOf('response.output_item.added'),
  itemDone: headOf('response.output_item.done'),
  partAdded: headOf('response.content_part.added'),
  partDone: headOf('response.content_part.done'),
  textDone: headOf('response.output_text.done'),
  annotationAdded: headOf('response.output_text.annotation.added'),
  refusalDelta: headOf('response.refusal.delta'),
  refusalDone: headOf('response.refusal.done'),
  completed: headOf('response.completed'),
  incomplete: headOf('response.incomplete'),
  failed: headOf('response.failed'),
} as const;

const PARTS = {
  text: {
    added: headOf('response.content_part.added'),
    delta: headOf('response.output_text.delta'),
    done: headOf('response.output_text.done'),
    closed: headOf('response.content_part.done'),
    indexName: 'content_index',
    textField: 'text',
    part: textPartText,
  },
  thoughts: {
    added: headOf('response.content_part.added'),
    delta: headOf('response.reasoning_text.delta'),
    done: headOf('response.reasoning_text.done'),
    closed: headOf('response.content_part.done'),
    indexName: 'content_index',
    textField: 'text',
    part: (text) => `{"type":"reasoning_text","text":${text}}`,
  },
  summary: {
    added: headOf('response.reasoning_summary_part.added'),
    delta: headOf('response.reasoning_summary_text.delta'),
    done: headOf('response.reasoning_summary_text.done'),
    closed: headOf('response.reasoning_summary_part.done'),
    indexName: 'summary_index',
    textField: 'text',
    part: (text) => `{"type":"summary_text","text":${text}}`,
  },
  arguments: {
    delta: headOf('response.function_call_arguments.delta'),
    done: headOf('response.function_call_arguments.done'),
    textField: 'arguments',
  },
  // Its text is within the arguments, so it is known only when they are complete.
  input: { done: headOf('response.custom_tool_call_input.done'), textField: 'input' },
  // Their text is an outcome, which is shown by the item alone.
  file_search: {
    steps: [headOf('response.file_search_call.in_progress'), headOf('response.file_search_call.searching')],
    ran: headOf('response.file_search_call.completed'),
    textField: 'text',
  },
  image_generation: {
    steps: [
      headOf('response.image_generation_call.in_progress'),
      headOf('response.image_generation_call.generating'),
    ],
    ran: headOf('response.image_generation_call.completed'),
    textField: 'text',
  },
} as const satisfies Record<string, OpenPart>;

const CALL_PARTS = {
  function: 'arguments',
  custom: 'input',
  file_search: 'file_search',
  image_generation: 'image_generation',
} as const;

interface OpenBlock {
  readonly block: Block;
  readonly index: number;
  readonly id: string;
  /** The members of its events that say where they belong. */
  readonly place: string;
  readonly part: OpenPart;
  text: string;
}

const INPUT_DELTA = headOf('response.custom_tool_call_input.delta');
const IN_PROGRESS = { status: 'in_progress' } as const;
const NO_TEXT = '""';
const REFUSAL_PART = JSON.stringify(refusalPart(REFUSAL));

/** How a response begins and ends. */
export interface ResponseStreamOptions {
  readonly nowSeconds: () => number;
  /** Whether the response was in a queue, and its first events are `queuedEvents`. */
  readonly wasQueued?: boolean;
}

/**
 * Writes the events of one response. An item ends when the next one begins or the answer ends, since its status is known only
 * then. Nothing is written before the first block or ping, so that a failure can still be an HTTP error.
 */
export class ResponsesStreamWriter implements StreamWriter {
  #echo: ResponseEcho;
  readonly #form: ItemForm;
  readonly #options: ResponseStreamOptions;
  /** The items as JSON. */
  readonly #written: string[] = [];
  #text: ResponseText | undefined;
  readonly #passages: FoundPassage[] = [];
  #sequence: number;
  #open: OpenBlock | undefined;
  /** A delta of the open block from its sequence number to its text. */
  #deltaFields = '';

  constructor(echo: ResponseEcho, form: ItemForm, options: ResponseStreamOptions) {
    this.#echo = echo;
    this.#form = form;
    this.#options = options;
    this.#sequence = options.wasQueued ? QUEUED_EVENTS.length : 0;
  }

  write(event: TextEvent): string {
    switch (event.type) {
      case 'start':
        if (event.standIn !== undefined && this.#text === undefined)
          this.#echo = { ...this.#echo, model: event.standIn };
        return '';
      case 'block-start':
        return this.#begin() + this.#close('completed') + this.#openBlock(event.block);
      case 'block-delta':
        return this.#delta(event.text);
      case 'block-end':
        // Of a hosted tool, unlike of the model's own words, the status is known now.
        return this.#open?.part.ran === undefined ? '' : this.#close('completed');
      case 'finish':
        return this.#begin() + this.#finish(event);
    }
  }

  ping(): string {
    return `${this.#begin()}${HEADS.keepalive}${this.#sequence++}}\n\n`;
  }

  fail(fault: Fault): string {
    return this.#begin() + this.#end(HEADS.failed, { status: 'failed', fault });
  }

  /** The response that `fail` would end with; `undefined` if nothing was written yet. */
  failed(fault: Fault): ResponseObject | undefined {
    return this.#text && JSON.parse(this.#text.write({ status: 'failed', fault }, this.#written));
  }

  #begin(): string {
    if (this.#text !== undefined) return '';
    this.#text = new ResponseText(this.#echo);
    const response = `"response":${this.#text.write(IN_PROGRESS, [])}`;
    const created = this.#options.wasQueued ? '' : this.#event(HEADS.created, response);
    return created + this.#event(HEADS.inProgress, response);
  }

  #openBlock(block: Block): string {
    const index = this.#written.length;
    const id = itemId(block, index, this.#form);
    const part: OpenPart = PARTS[this.#partOf(block)];
    const place = `"item_id":"${id}","output_index":${index}${indexField(part)}`;
    this.#open = { block, index, id, place, part, text: '' };
    const logprobs = block.type === 'text' ? ',"logprobs":[]' : '';
    this.#deltaFields = [',', place, logprobs, ',"delta":'].join('');
    const item = block.type === 'text' ? openMessage(id) : JSON.stringify(openItem(block, index, this.#form));
    const added = this.#itemEvent(HEADS.itemAdded, index, item);
    const steps = part.steps?.map((step) => this.#partEvent(step)).join('') ?? '';
    if (part.added === undefined) return added + steps;
    return added + this.#partEvent(part.added, `"part":${part.part?.(NO_TEXT)}`);
  }

  #partOf(block: Block): keyof typeof PARTS {
    switch (block.type) {
      case 'text':
        return 'text';
      case 'reasoning':
        return this.#form.summarises ? 'summary' : 'thoughts';
      case 'tool-call': {
        const { kind } = this.#form.table.clientTool(block.name);
        return CALL_PARTS[kind];
      }
    }
  }

  #delta(text: string): string {
    const open = this.#open;
    if (open === undefined) return '';
    open.text += text;
    if (open.part.delta === undefined) return '';
    return `${open.part.delta}${this.#sequence++}${this.#deltaFields}${JSON.stringify(text)}}\n\n`;
  }

  #close(status: ItemStatus, refused = false): string {
    const open = this.#open;
    if (open === undefined) return '';
    const events =
      open.block.type === 'text' ? this.#closeText(open, status, refused) : this.#closeItem(open, status);
    this.#open = undefined;
    return events;
  }

  /** Ends a message without making an object of it, since nearly every answer ends with one. */
  #closeText({ id, index, text }: OpenBlock, status: ItemStatus, refused: boolean): string {
    const quoted = JSON.stringify(text);
    const annotations = annotationsOf(text, this.#passages);
    const part = textPartText(quoted, annotations.length === 0 ? '[]' : JSON.stringify(annotations));
    // Each event takes the next number, so their order matters.
    let events = '';
    for (const [at, annotation] of annotations.entries())
      events += this.#partEvent(HEADS.annotationAdded, membersOf({ annotation_index: at, annotation }));
    events += this.#partEvent(HEADS.textDone, `"text":${quoted},"logprobs":[]`);
    events += this.#partEvent(HEADS.partDone, `"part":${part}`);
    if (refused) events += this.#refusalPart(index, id, 1);
    return events + this.#doneEvent(messageText({ id, status }, refused ? `${part},${REFUSAL_PART}` : part));
  }

  #closeItem(open: OpenBlock, status: ItemStatus): string {
    const { block, index, text } = open;
    const item = closedItem({ block, text, index, status }, this.#form);
    this.#passages.push(...foundPassages(block, text, this.#form));
    return this.#partEnd(open, item) + this.#doneEvent(JSON.stringify(item));
  }

  #doneEvent(item: string): string {
    const index = this.#written.push(item) - 1;
    return this.#itemEvent(HEADS.itemDone, index, item);
  }

  #partEnd({ part, text }: OpenBlock, item: OutputItem): string {
    if (part.done === undefined) return item.status === 'completed' ? this.#partEvent(part.ran ?? '') : '';
    // For a call, use the text of the item: the input of a custom call, or `{}` for empty arguments.
    const whole = JSON.stringify(part.part === undefined ? item[part.textField] : text);
    const input = part.delta === undefined ? this.#partEvent(INPUT_DELTA, `"delta":${whole}`) : '';
    const name = part === PARTS.arguments ? `${membersOf({ name: item.name })},` : '';
    const done = this.#partEvent(part.done, `${name}"${part.textField}":${whole}`);
    const closed = part.closed ? this.#partEvent(part.closed, `"part":${part.part?.(whole)}`) : '';
    return input + done + closed;
  }

  /** Adds a refusal to the open text, or as an item of its own. */
  #refuse(): string {
    if (this.#open?.block.type === 'text') return this.#close('completed', true);
    const before = this.#close('completed');
    const index = this.#written.length;
    const id = itemId({ type: 'text' }, index, this.#form);
    return (
      before +
      this.#itemEvent(HEADS.itemAdded, index, openMessage(id)) +
      this.#refusalPart(index, id, 0) +
      this.#doneEvent(messageText({ id, status: 'completed' }, REFUSAL_PART))
    );
  }

  #refusalPart(output_index: number, item_id: string, content_index: number): string {
    const at = { item_id, output_index, content_index };
    const event = (head: string, fields: object) => this.#event(head, membersOf({ ...at, ...fields }));
    return (
      event(HEADS.partAdded, { part: refusalPart('') }) +
      event(HEADS.refusalDelta, { delta: REFUSAL }) +
      event(HEADS.refusalDone, { refusal: REFUSAL }) +
      event(HEADS.partDone, { part: refusalPart(REFUSAL) })
    );
  }

  #finish({ reason, usage, knowledge }: FinishEvent): string {
    const last = reason === 'refusal' ? this.#refuse() : this.#close(lastStatus(reason));
    const head = reason === 'length' ? HEADS.incomplete : HEADS.completed;
    const completed = this.#options.nowSeconds();
    return last + this.#end(head, { status: 'finished', reason, usage, completed, knowledge });
  }

  #end(head: string, state: ResponseState): string {
    return this.#event(head, `"response":${this.#text?.write(state, this.#written)}`);
  }

  /** An event of the open block, with members that are JSON already. */
  #partEvent(head: string, members = ''): string {
    const place = this.#open?.place ?? '';
    return this.#event(head, members === '' ? place : `${place},${members}`);
  }

  #itemEvent(head: string, index: number, item: string): string {
    return this.#event(head, `"output_index":${index},"item":${item}`);
  }

  /** An event with members that are JSON already. */
  #event(head: string, members: string): string {
    return `${head}${this.#sequence++},${members}}\n\n`;
  }
}

function openMessage(id: string): string {
  return messageText({ id, status: 'in_progress' }, '');
}

/** One event of a stream. */
export function eventText(type: string, sequence: number, fields: object): string {
  const data = JSON.stringify({ type, sequence_number: sequence, ...fields });
  return `event: ${type}\ndata: ${data}\n\n`;
}

const QUEUED_EVENTS = ['response.created', 'response.queued'] as const;

/** The events of a response that waits in a queue. */
export function queuedEvents(response: ResponseObject): readonly string[] {
  return QUEUED_EVENTS.map((type, sequence) => eventText(type, sequence, { response }));
}

function indexField({ indexName: name }: OpenPart): string {
  return name === undefined ? '' : `,"${name}":0`;
}
