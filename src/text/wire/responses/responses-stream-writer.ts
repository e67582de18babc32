import type { Fault } from '../../../faults/fault.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { Block, FinishEvent, TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { annotationsOf } from './annotations.ts';
import { foundPassages } from './hosted-item.ts';
import { type NewEvent, spokenEvents, wholeEvents } from './item-events.ts';
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
import { QUEUED_EVENTS } from './replayed-events.ts';
import {
  membersOf,
  type ResponseEcho,
  type ResponseObject,
  type ResponseState,
  ResponseText,
} from './response-object.ts';

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
  textDelta: headOf('response.output_text.delta'),
  textDone: headOf('response.output_text.done'),
  annotationAdded: headOf('response.output_text.annotation.added'),
  completed: headOf('response.completed'),
  incomplete: headOf('response.incomplete'),
  failed: headOf('response.failed'),
} as const;

/** The steps of hosted tools while they run. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  file_search_call: ['in_progress', 'searching'],
  image_generation_call: ['in_progress', 'generating'],
};

interface OpenBlock {
  readonly block: Block;
  readonly index: number;
  readonly id: string;
  /** Whether a hosted tool runs; its text is an outcome, which is shown by the item alone. */
  readonly isHosted: boolean;
  /** The events of its deltas up to their number, and from there to the text; absent: its text comes when it is complete. */
  readonly delta: { readonly head: string; readonly fields: string } | undefined;
  text: string;
}

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
        return this.#open?.isHosted === true ? this.#close('completed') : '';
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
    if (block.type === 'text') return this.#openText({ block, index, id });
    const item = openItem(block, index, this.#form);
    const steps = STEPS[item.type];
    const begun = closedItem({ block, text: '', index, status: 'in_progress' }, this.#form);
    const [spoken] = spokenEvents(begun, index);
    // The input of a custom call is within its arguments, so it is known only when they are complete.
    const delta = item.type === 'custom_tool_call' ? undefined : spoken?.delta;
    this.#open = {
      block,
      index,
      id,
      isHosted: steps !== undefined,
      delta: delta && { head: headOf(delta[0]), fields: `,${membersOf(delta[1]).slice(0, -NO_TEXT.length)}` },
      text: '',
    };
    const added = this.#itemEvent(HEADS.itemAdded, index, JSON.stringify(item));
    const stepped = steps?.map((step) => this.#step(item, index, step)).join('') ?? '';
    return added + stepped + this.#events(spoken?.opened ?? []);
  }

  /** Begins a message without making an object of it: nearly every answer is one. */
  #openText(at: Pick<OpenBlock, 'block' | 'index' | 'id'>): string {
    const { index, id } = at;
    const fields = [',', placeOf(at), ',"logprobs":[],"delta":'].join('');
    this.#open = { ...at, isHosted: false, delta: { head: HEADS.textDelta, fields }, text: '' };
    const added = this.#itemEvent(HEADS.itemAdded, index, messageText({ id, status: 'in_progress' }, ''));
    return added + this.#event(HEADS.partAdded, `${placeOf(at)},"part":${textPartText(NO_TEXT)}`);
  }

  #delta(text: string): string {
    const open = this.#open;
    if (open === undefined) return '';
    open.text += text;
    if (open.delta === undefined) return '';
    return `${open.delta.head}${this.#sequence++}${open.delta.fields}${JSON.stringify(text)}}\n\n`;
  }

  #close(status: ItemStatus, refused = false): string {
    const open = this.#open;
    if (open === undefined) return '';
    this.#open = undefined;
    return open.block.type === 'text'
      ? this.#closeText(open, status, refused)
      : this.#closeItem(open, status);
  }

  #closeText(open: OpenBlock, status: ItemStatus, refused: boolean): string {
    const { id, index, text } = open;
    const place = placeOf(open);
    const quoted = JSON.stringify(text);
    const annotations = annotationsOf(text, this.#passages);
    const part = textPartText(quoted, annotations.length === 0 ? '[]' : JSON.stringify(annotations));
    // Each event takes the next number, so their order matters.
    let events = '';
    for (const [at, annotation] of annotations.entries())
      events += this.#event(
        HEADS.annotationAdded,
        `${place},${membersOf({ annotation_index: at, annotation })}`,
      );
    events += this.#event(HEADS.textDone, `${place},"text":${quoted},"logprobs":[]`);
    events += this.#event(HEADS.partDone, `${place},"part":${part}`);
    if (refused) events += this.#refusal(id, index, [{}, refusalPart(REFUSAL)]);
    return events + this.#doneEvent(messageText({ id, status }, refused ? `${part},${REFUSAL_PART}` : part));
  }

  #closeItem({ block, index, text, isHosted }: OpenBlock, status: ItemStatus): string {
    const item = closedItem({ block, text, index, status }, this.#form);
    this.#passages.push(...foundPassages(block, text, this.#form));
    const [spoken] = spokenEvents(item, index);
    const late = item.type === 'custom_tool_call' && spoken !== undefined ? [spoken.delta] : [];
    const said = this.#events([...late, ...(spoken?.closed ?? [])]);
    const ran = isHosted && item.status === 'completed' ? this.#step(item, index, 'completed') : '';
    return said + ran + this.#doneEvent(JSON.stringify(item));
  }

  #doneEvent(item: string): string {
    const index = this.#written.push(item) - 1;
    return this.#itemEvent(HEADS.itemDone, index, item);
  }

  /** Adds a refusal to the open text, or as an item of its own. */
  #refuse(): string {
    if (this.#open?.block.type === 'text') return this.#close('completed', true);
    const before = this.#close('completed');
    const index = this.#written.length;
    const id = itemId({ type: 'text' }, index, this.#form);
    const added = this.#itemEvent(HEADS.itemAdded, index, messageText({ id, status: 'in_progress' }, ''));
    const refusal = this.#refusal(id, index, [refusalPart(REFUSAL)]);
    return before + added + refusal + this.#doneEvent(messageText({ id, status: 'completed' }, REFUSAL_PART));
  }

  /** The events of a refusal, which is the last part of a message. */
  #refusal(id: string, index: number, content: readonly object[]): string {
    return this.#events(spokenEvents({ id, type: 'message', content }, index).flatMap(wholeEvents));
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

  #step({ id, type }: OutputItem, index: number, step: string): string {
    return this.#event(headOf(`response.${type}.${step}`), membersOf({ item_id: id, output_index: index }));
  }

  #events(events: readonly NewEvent[]): string {
    return events.map(([type, fields]) => this.#event(headOf(type), membersOf(fields))).join('');
  }

  #itemEvent(head: string, index: number, item: string): string {
    return this.#event(head, `"output_index":${index},"item":${item}`);
  }

  /** An event with members that are JSON already. */
  #event(head: string, members: string): string {
    return `${head}${this.#sequence++},${members}}\n\n`;
  }
}

/** The members of the events of a message that say where they belong. */
function placeOf({ id, index }: Pick<OpenBlock, 'id' | 'index'>): string {
  return `"item_id":"${id}","output_index":${index},"content_index":0`;
}
