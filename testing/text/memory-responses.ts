import { randomBytes } from 'node:crypto';
import {
  type ConversationStore,
  conversationNotFound,
  type KeptConversation,
  unknownAfter,
} from '../../src/text/responses/conversation-store.ts';
import type {
  KeptItem,
  NewResponse,
  ResponseChain,
  ResponseStore,
} from '../../src/text/responses/response-store.ts';
import {
  type ResponseObject,
  type WrittenResponse,
  writtenResponse,
} from '../../src/text/wire/responses/response-object.ts';

interface MemoryConversation extends KeptConversation {
  readonly stackId: string;
  items: readonly KeptItem[];
}

/** Conversations in memory. */
export class MemoryConversations implements ConversationStore {
  readonly #all = new Map<string, MemoryConversation>();

  create: ConversationStore['create'] = async ({ stackId }, { metadata, items }) => {
    const id = `conv_${randomBytes(16).toString('hex')}`;
    const made = { id, stackId, metadata, items, createdAt: new Date() };
    this.#all.set(id, made);
    return made;
  };
  find: ConversationStore['find'] = async (stackId, id) => this.get(stackId, id);
  setMetadata: ConversationStore['setMetadata'] = async (stackId, id, metadata) => {
    const found = this.get(stackId, id);
    if (found === undefined) return undefined;
    const next = { ...found, metadata };
    this.#all.set(id, next);
    return next;
  };
  remove: ConversationStore['remove'] = async (stackId, id) =>
    this.get(stackId, id) !== undefined && this.#all.delete(id);
  append: ConversationStore['append'] = async (stackId, id, items) => {
    const found = this.get(stackId, id);
    if (found === undefined) throw conversationNotFound(id);
    found.items = [...found.items.filter((kept) => !items.some((item) => item.id === kept.id)), ...items];
  };
  readHistory: ConversationStore['readHistory'] = async (stackId, id, mostBytes) => {
    const found = this.get(stackId, id);
    if (found === undefined) return { kind: 'missing' };
    return bytesOf(found.items) > mostBytes ? { kind: 'too-large' } : { kind: 'whole', items: found.items };
  };
  listItems: ConversationStore['listItems'] = async (stackId, id, { order, after, limit }) => {
    const found = this.get(stackId, id);
    if (found === undefined) return undefined;
    const ordered = order === 'asc' ? found.items : found.items.toReversed();
    const start = after === undefined ? 0 : ordered.findIndex((item) => item.id === after) + 1;
    if (after !== undefined && start === 0) throw unknownAfter(after);
    return { items: ordered.slice(start, start + limit), hasMore: ordered.length > start + limit };
  };
  findItem: ConversationStore['findItem'] = async (stackId, id, itemId) =>
    this.get(stackId, id)?.items.find((item) => item.id === itemId);
  removeItem: ConversationStore['removeItem'] = async (stackId, id, itemId) => {
    const found = this.get(stackId, id);
    if (found === undefined || !found.items.some((item) => item.id === itemId)) return false;
    found.items = found.items.filter((item) => item.id !== itemId);
    return true;
  };

  get(stackId: string, id: string): MemoryConversation | undefined {
    const found = this.#all.get(id);
    return found?.stackId === stackId ? found : undefined;
  }

  /** Every item of a stack. */
  itemsOf(stackId: string): readonly KeptItem[] {
    return [...this.#all.values()].flatMap((each) => (each.stackId === stackId ? each.items : []));
  }
}

/** Responses in memory. */
export class MemoryResponses implements ResponseStore {
  readonly conversations = new MemoryConversations();
  readonly #all = new Map<string, NewResponse>();
  /** Thrown by the next saves. */
  failure: unknown;
  /** Awaited by the next saves before they store. */
  hold: Promise<void> | undefined;

  get size(): number {
    return this.#all.size;
  }

  save: ResponseStore['save'] = async (response) => {
    await this.hold;
    if (this.failure !== undefined) throw this.failure;
    const { conversationId, owner, input } = response;
    if (conversationId !== undefined)
      await this.conversations.append(owner.stackId, conversationId, [...input, ...response.response.output]);
    this.put(response);
  };
  find: ResponseStore['find'] = async (stackId, id) => {
    const found = this.#get(stackId, id);
    return found && readResponse(found.response);
  };
  findInput: ResponseStore['findInput'] = async (stackId, id) => this.#get(stackId, id)?.input;
  remove: ResponseStore['remove'] = async (stackId, id) =>
    this.#get(stackId, id) !== undefined && this.#all.delete(id);

  readChain: ResponseStore['readChain'] = async (stackId, id, bounds): Promise<ResponseChain> => {
    const links: NewResponse[] = [];
    let bytes = 0;
    for (let next: string | undefined = id; next !== undefined; next = links[0]?.previousId) {
      const link = this.#get(stackId, next);
      if (link === undefined) return { kind: 'missing', id: next };
      const { status } = link.response;
      if (links.length === 0 && (status === 'queued' || status === 'in_progress'))
        return { kind: 'unfinished', id };
      links.unshift(link);
      bytes += bytesOf(link.input) + bytesOf(link.response.output);
      if (links.length > bounds.responses) return { kind: 'too-long' };
      if (bytes > bounds.bytes) return { kind: 'too-large' };
    }
    return { kind: 'whole', items: links.flatMap(({ input, response }) => [...input, ...response.output]) };
  };

  findItems: ResponseStore['findItems'] = async (stackId, ids) => {
    const own = [...this.#all.values()].filter(({ owner }) => owner.stackId === stackId);
    const items = own.flatMap(({ input, response }) => [...input, ...response.output]);
    const all = [...this.conversations.itemsOf(stackId), ...items];
    return new Map(all.flatMap((item) => (ids.includes(item.id) ? [[item.id, item]] : [])));
  };

  /** Stores a response without appending to its conversation. */
  put(response: NewResponse): void {
    this.#all.set(response.response.id, structuredClone(response));
  }

  replace(response: ResponseObject): void {
    const found = this.#all.get(response.id);
    if (found !== undefined) this.put({ ...found, response: writtenResponse(response) });
  }

  change(id: string, changes: Partial<ResponseObject>): void {
    const found = this.#all.get(id);
    if (found !== undefined) this.replace({ ...readResponse(found.response), ...changes });
  }

  /** Oldest first. */
  ids(): readonly string[] {
    return [...this.#all.keys()];
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  #get(stackId: string, id: string): NewResponse | undefined {
    const found = this.#all.get(id);
    return found?.owner.stackId === stackId ? found : undefined;
  }
}

/** The response as it was before it was written. */
export function readResponse({ echo, output }: WrittenResponse): ResponseObject {
  return { ...JSON.parse(echo), output };
}

function bytesOf(items: readonly KeptItem[]): number {
  return Buffer.byteLength(JSON.stringify(items));
}
