import type { Fault } from '../../../faults/fault.ts';
import type { FoundPassage } from '../../found-passage.ts';
import type { Block, FinishEvent, TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { annotationsOf } from './annotations.ts';
import { type BegunBlock, beginBlock, endItem } from './block-events.ts';
import { foundPassages } from './hosted-item.ts';
import { itemId } from './item-id.ts';
import { endMessage, refusalMessage } from './message-events.ts';
import { HEADS, NumberedEvents } from './numbered-events.ts';
import { type EndedItem, type ItemForm, type ItemStatus, lastStatus } from './output-item.ts';
import { QUEUED_EVENTS } from './replayed-events.ts';
import {
  type ResponseEcho,
  type ResponseObject,
  type ResponseState,
  ResponseText,
} from './response-object.ts';

const IN_PROGRESS = { status: 'in_progress' } as const;

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
  readonly #events: NumberedEvents;
  #open: BegunBlock | undefined;
  #openText = '';

  constructor(echo: ResponseEcho, form: ItemForm, options: ResponseStreamOptions) {
    this.#echo = echo;
    this.#form = form;
    this.#options = options;
    this.#events = new NumberedEvents(options.wasQueued ? QUEUED_EVENTS.length : 0);
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
    return this.#begin() + this.#events.keepalive();
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
    const created = this.#options.wasQueued ? '' : this.#events.one(HEADS.created, response);
    return created + this.#events.one(HEADS.inProgress, response);
  }

  #openBlock(block: Block): string {
    this.#open = beginBlock(this.#events, block, this.#written.length, this.#form);
    this.#openText = '';
    return this.#open.events;
  }

  #delta(text: string): string {
    const open = this.#open;
    if (open === undefined) return '';
    this.#openText += text;
    return open.delta === undefined ? '' : this.#events.delta(open.delta, text);
  }

  #close(status: ItemStatus, refused = false): string {
    const open = this.#open;
    if (open === undefined) return '';
    this.#open = undefined;
    return this.#done(this.#ended(open, status, refused));
  }

  #ended({ block, id, index }: BegunBlock, status: ItemStatus, refused: boolean): EndedItem {
    const text = this.#openText;
    if (block.type === 'text') {
      const annotations = annotationsOf(text, this.#passages);
      return endMessage(this.#events, { id, index }, { text, annotations, status, refused });
    }
    this.#passages.push(...foundPassages(block, text, this.#form));
    return endItem(this.#events, { block, text, index, status }, this.#form);
  }

  #done({ events, item }: EndedItem): string {
    const index = this.#written.push(item) - 1;
    return events + this.#events.item(HEADS.itemDone, index, item);
  }

  /** Adds a refusal to the open text, or as an item of its own. */
  #refuse(): string {
    if (this.#open?.block.type === 'text') return this.#close('completed', true);
    const before = this.#close('completed');
    const index = this.#written.length;
    const id = itemId({ type: 'text' }, index, this.#form);
    return before + this.#done(refusalMessage(this.#events, { id, index }));
  }

  #finish({ reason, usage, knowledge }: FinishEvent): string {
    const last = reason === 'refusal' ? this.#refuse() : this.#close(lastStatus(reason));
    const state = { reason, usage, completed: this.#options.nowSeconds(), knowledge };
    const head = reason === 'length' ? HEADS.incomplete : HEADS.completed;
    return last + this.#end(head, { status: 'finished', ...state });
  }

  #end(head: string, state: ResponseState): string {
    return this.#events.one(head, `"response":${this.#text?.write(state, this.#written)}`);
  }
}
