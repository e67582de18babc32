import type { CallerStack } from '../../access/caller.ts';
import { Fault } from '../../faults/fault.ts';
import { isRecord } from '../../lib/json-record.ts';
import { describeValue } from '../wire/parse-field.ts';
import { type AskedItems, kindOf } from '../wire/responses/asked-items.ts';
import type { ReadResponse } from '../wire/responses/read-response.ts';
import { type ConversationStore, conversationNotFound } from './conversation-store.ts';
import type { KeptItem, ResponseChain, ResponseStore } from './response-store.ts';

export interface ResponseHistoryParts {
  readonly store: Pick<ResponseStore, 'readChain' | 'findItems'>;
  readonly conversations: Pick<ConversationStore, 'readHistory'>;
}

type AskingStack = Pick<CallerStack, 'id' | 'storesResponses'>;

const MOST_RESPONSES = 1_000;
/** As large as a body may be. */
const MOST_BYTES = 32 * 1024 * 1024;
const NOTHING: readonly unknown[] = [];

/** Looks up what requests refer to: earlier responses, conversations and single items. */
export class ResponseHistory {
  readonly #parts: ResponseHistoryParts;

  constructor(parts: ResponseHistoryParts) {
    this.#parts = parts;
  }

  /** The items that a request builds on, and its own with every reference replaced; a promise only if it refers to something. */
  resolve(read: ReadResponse, stack: AskingStack): AskedItems | Promise<AskedItems> {
    const { fields, conversationId, input } = read;
    const previous = fields.previous_response_id || undefined;
    if (!stack.storesResponses) return { history: NOTHING, input: withoutStore(read) };
    if (previous === undefined && conversationId === undefined && !input.some(isReference))
      return { history: NOTHING, input };
    return this.#resolve({ previous, conversationId, input }, stack.id);
  }

  async #resolve(
    asked: { previous: string | undefined; conversationId: string | undefined; input: readonly unknown[] },
    stackId: string,
  ): Promise<AskedItems> {
    const input = await this.#replaced(asked.input, stackId);
    if (asked.previous !== undefined) return { history: await this.#chain(stackId, asked.previous), input };
    if (asked.conversationId === undefined) return { history: NOTHING, input };
    return { history: await this.#conversation(stackId, asked.conversationId), input };
  }

  async #chain(stackId: string, id: string): Promise<readonly KeptItem[]> {
    const bounds = { responses: MOST_RESPONSES, bytes: MOST_BYTES };
    const chain = await this.#parts.store.readChain(stackId, id, bounds);
    if (chain.kind === 'whole') return chain.items;
    throw chainRefusal(chain, id);
  }

  async #conversation(stackId: string, id: string): Promise<readonly KeptItem[]> {
    const history = await this.#parts.conversations.readHistory(stackId, id, MOST_BYTES);
    switch (history.kind) {
      case 'whole':
        return history.items;
      case 'missing':
        throw conversationNotFound(id);
      case 'too-large':
        throw tooLarge('conversation', 'The conversation');
    }
  }

  async #replaced(input: readonly unknown[], stackId: string): Promise<readonly unknown[]> {
    const ids = input.filter(isReference).map(idOf);
    if (ids.length === 0) return input;
    const found = await this.#parts.store.findItems(stackId, [...new Set(ids)]);
    let bytes = 0;
    return input.map((item, index) => {
      if (!isReference(item)) return item;
      const kept = found.get(idOf(item));
      if (kept === undefined) throw notKept(idOf(item), index);
      bytes += JSON.stringify(kept).length;
      if (bytes > MOST_BYTES) throw tooLarge('input', 'What `input` refers to');
      return kept;
    });
  }
}

/** Nothing can be referred to in a stack that stores nothing. References to reasoning are left out: the answer does not need it. */
function withoutStore({ fields, conversationId, input }: ReadResponse): readonly unknown[] {
  if (fields.previous_response_id)
    throw new Fault('previous-response-not-found', ADVICE, { param: 'previous_response_id' });
  if (conversationId !== undefined) throw new Fault('invalid-request', ADVICE, { param: 'conversation' });
  return input.filter((item, index) => {
    if (!isReference(item)) return true;
    const id = idOf(item);
    if (id.startsWith('rs_')) return false;
    throw notKept(id, index);
  });
}

const ADVICE = 'This stack keeps no responses (`store: false`); send the whole conversation in `input`.';

function isReference(item: unknown): boolean {
  return kindOf(item) === 'item_reference';
}

function idOf(item: unknown): string {
  return isRecord(item) ? String(item.id) : '';
}

function notKept(id: string, index: number): Fault {
  const message = `\`input[${index}]\` refers to ${describeValue(id)}, which is not kept here; set \`store: false\` in the client, so that it sends whole items.`;
  return new Fault('item-not-found', message, { param: 'input' });
}

function tooLarge(param: string, subject: string): Fault {
  const message = `${subject}: more than ${MOST_BYTES} bytes, which is the most that a request can build on. Begin anew with a summary.`;
  return new Fault('invalid-request', message, { param });
}

function chainRefusal(chain: Exclude<ResponseChain, { kind: 'whole' }>, id: string): Fault {
  const param = 'previous_response_id';
  switch (chain.kind) {
    case 'missing': {
      const which =
        chain.id === id
          ? `There is no response ${describeValue(id)}`
          : `${describeValue(id)} follows ${describeValue(chain.id)}, which is deleted`;
      const message = `${which}. Send the whole conversation in \`input\`.`;
      return new Fault('previous-response-not-found', message, { param });
    }
    case 'unfinished':
      return new Fault('invalid-request', `The response ${describeValue(id)} has not ended yet.`, { param });
    case 'too-long': {
      const message = `${describeValue(id)} follows more than ${MOST_RESPONSES} responses, which is the most that a request can build on. Begin anew with a summary.`;
      return new Fault('invalid-request', message, { param });
    }
    case 'too-large':
      return tooLarge(param, `${describeValue(id)} and the responses before it`);
  }
}
