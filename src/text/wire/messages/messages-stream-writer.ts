import { messagesFamily } from '../../../families/messages-family.ts';
import { Fault } from '../../../faults/fault.ts';
import type { Block, FinishEvent, StartEvent, TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { knowledgeMember } from '../knowledge-field.ts';
import { type AnswerName, stopFields, usageFields } from './messages-reply.ts';

const PING = sse('ping', { type: 'ping' });
const STOP = sse('message_stop', { type: 'message_stop' });

/** Writes the events of the messages format. */
export class MessagesStreamWriter implements StreamWriter {
  readonly #name: AnswerName;
  #index = -1;
  #block: Block = { type: 'text' };
  /** A delta up to its text, the same for all deltas of a block. */
  #deltaHead = '';
  #hasBegun = false;
  #hasToolCall = false;

  constructor(name: AnswerName) {
    this.#name = name;
  }

  write(event: TextEvent): string {
    switch (event.type) {
      case 'start':
        return this.#start(event);
      case 'block-start':
        return this.#startBlock(event.block);
      case 'block-delta':
        return `${this.#deltaHead}${JSON.stringify(event.text)}}}\n\n`;
      case 'block-end':
        return this.#endBlock();
      case 'finish':
        return this.#finish(event);
    }
  }

  ping(): string {
    return PING;
  }

  // Clients know two kinds of failure in a stream: retry later, or retry at once.
  fail(fault: Fault, requestId: string): string {
    const told = fault.code === 'engine-overloaded' ? fault : new Fault('engine-failed', fault.message);
    return sse('error', messagesFamily.faultBody(told, requestId));
  }

  /** A stream starts once: an engine that takes over afterwards continues under the first model name. */
  #start({ promptTokens, standIn }: StartEvent): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    const message = {
      id: this.#name.id,
      type: 'message',
      role: 'assistant',
      model: standIn ?? this.#name.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageFields(promptTokens ?? 0, 0),
    };
    return sse('message_start', { type: 'message_start', message });
  }

  #startBlock(block: Block): string {
    this.#index += 1;
    this.#block = block;
    this.#deltaHead = deltaHead(this.#index, block);
    if (block.type === 'tool-call') this.#hasToolCall = true;
    return sse('content_block_start', {
      type: 'content_block_start',
      index: this.#index,
      content_block: openedBlock(block),
    });
  }

  #endBlock(): string {
    const index = this.#index;
    const stop = sse('content_block_stop', { type: 'content_block_stop', index });
    if (this.#block.type !== 'reasoning') return stop;
    const delta = { type: 'signature_delta', signature: '' };
    return sse('content_block_delta', { type: 'content_block_delta', index, delta }) + stop;
  }

  #finish(event: FinishEvent): string {
    const delta = stopFields(event, this.#hasToolCall);
    const usage = usageFields(event.usage.promptTokens, event.usage.completionTokens);
    const shown = knowledgeMember(event.knowledge);
    return sse('message_delta', { type: 'message_delta', delta, usage, ...shown }) + STOP;
  }
}

function openedBlock(block: Block): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
  }
}

const deltaFields: Record<Block['type'], string> = {
  text: '"type":"text_delta","text"',
  reasoning: '"type":"thinking_delta","thinking"',
  'tool-call': '"type":"input_json_delta","partial_json"',
};

function deltaHead(index: number, block: Block): string {
  return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{${deltaFields[block.type]}:`;
}

// Clients drop an event that has no `event:` line.
function sse(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
