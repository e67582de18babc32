import { chatFamily } from '../../../families/chat-family.ts';
import type { Fault } from '../../../faults/fault.ts';
import type { Block, FinishEvent, TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { knowledgeMember } from '../knowledge-field.ts';
import { type AnswerIdentity, chatUsage, finishReasons, NO_ARGUMENTS } from './chat-reply.ts';

const CLOSE_CHUNK = '}\n\n';
const CLOSE_CHOICE = `,"finish_reason":null}]${CLOSE_CHUNK}`;
const DONE = 'data: [DONE]\n\n';

/** Writes the chunks of one answer. Everything around a delta is prepared once per block. */
export class ChatStreamWriter implements StreamWriter {
  readonly #identity: AnswerIdentity;
  // Nothing is written before the first block, so that a failure can still be an HTTP error.
  #head = '';
  #choiceHead = '';
  readonly #includeUsage: boolean;
  #hasRole = false;
  #toolCalls = 0;
  /** The JSON before and after a delta of the open block. */
  #before = '';
  #after = '';
  /** Whether a tool call is open and has no arguments yet. */
  #awaitsArguments = false;

  constructor(identity: AnswerIdentity, { includeUsage }: { readonly includeUsage: boolean }) {
    this.#identity = identity;
    this.#includeUsage = includeUsage;
    this.#name(identity.model);
  }

  write(event: TextEvent): string {
    switch (event.type) {
      case 'start':
        if (event.standIn !== undefined) this.#name(event.standIn);
        return '';
      case 'block-start':
        return this.#role() + this.#open(event.block);
      case 'block-delta':
        return this.#delta(event.text);
      case 'block-end':
        return this.#awaitsArguments ? this.#delta(NO_ARGUMENTS) : '';
      case 'finish':
        return this.#role() + this.#finish(event);
    }
  }

  ping(): string {
    return ': ping\n\n';
  }

  fail(fault: Fault, requestId: string): string {
    return `data: ${JSON.stringify(chatFamily.faultBody(fault, requestId))}\n\n`;
  }

  /** Sets the model that every chunk names; known before the first block. */
  #name(model: string): void {
    const { id, created } = this.#identity;
    const common = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
    this.#head = `data: ${common.slice(0, -1)},"choices":`;
    this.#choiceHead = `${this.#head}[{"index":0,"delta":`;
  }

  #role(): string {
    if (this.#hasRole) return '';
    this.#hasRole = true;
    return `${this.#choiceHead}{"role":"assistant","content":""}${CLOSE_CHOICE}`;
  }

  #open(block: Block): string {
    switch (block.type) {
      case 'text':
        return this.#surround('{"content":', '}');
      case 'reasoning':
        return this.#surround('{"reasoning_content":', '}');
      case 'tool-call':
        return this.#openToolCall(block.id, block.name);
    }
  }

  #openToolCall(id: string, name: string): string {
    const index = this.#toolCalls++;
    this.#awaitsArguments = true;
    this.#surround(`{"tool_calls":[{"index":${index},"function":{"arguments":`, '}}]}');
    const call = JSON.stringify({ index, id, type: 'function', function: { name, arguments: '' } });
    return `${this.#choiceHead}{"tool_calls":[${call}]}${CLOSE_CHOICE}`;
  }

  #surround(before: string, after: string): '' {
    this.#before = this.#choiceHead + before;
    this.#after = after + CLOSE_CHOICE;
    return '';
  }

  #delta(text: string): string {
    this.#awaitsArguments = false;
    return this.#before + JSON.stringify(text) + this.#after;
  }

  #finish({ reason, usage, knowledge }: FinishEvent): string {
    const shown = knowledge && `,${JSON.stringify(knowledgeMember(knowledge)).slice(1, -1)}`;
    const last = `${this.#choiceHead}{},"finish_reason":"${finishReasons[reason]}"}]${shown ?? ''}${CLOSE_CHUNK}`;
    const usageChunk = `${this.#head}[],"usage":${JSON.stringify(chatUsage(usage))}${CLOSE_CHUNK}`;
    return last + (this.#includeUsage ? usageChunk : '') + DONE;
  }
}
