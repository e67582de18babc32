import { Fault } from '../../faults/fault.ts';
import type { KeptItem, ResponseOwner } from './response-store.ts';

/** Names and values that a client attaches to something. */
export type Metadata = Readonly<Record<string, string>>;

/** A conversation without its items. */
export interface KeptConversation {
  readonly id: string;
  readonly metadata: Metadata;
  readonly createdAt: Date;
}

/** Which items of a list are asked for. */
export interface ItemQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The item that the page follows. */
  readonly after?: string;
}

export interface ItemPage {
  readonly items: readonly KeptItem[];
  readonly hasMore: boolean;
}

/** The items of a conversation, oldest first; or the reason why it cannot be continued. */
export type ConversationHistory =
  | { readonly kind: 'whole'; readonly items: readonly KeptItem[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large' };

/** Conversations of all stacks. Another stack's ids are as unknown as ids that never were. */
export interface ConversationStore {
  create(
    owner: ResponseOwner,
    content: { readonly metadata: Metadata; readonly items: readonly KeptItem[] },
  ): Promise<KeptConversation>;
  find(stackId: string, id: string): Promise<KeptConversation | undefined>;
  setMetadata(stackId: string, id: string, metadata: Metadata): Promise<KeptConversation | undefined>;
  /** False if there was no such conversation. */
  remove(stackId: string, id: string): Promise<boolean>;
  /** Throws `conversation-not-found`. */
  append(stackId: string, id: string, items: readonly KeptItem[]): Promise<void>;
  readHistory(stackId: string, id: string, mostBytes: number): Promise<ConversationHistory>;
  /** Undefined if there is no such conversation. Throws `unknownAfter`. */
  listItems(stackId: string, id: string, query: ItemQuery): Promise<ItemPage | undefined>;
  findItem(stackId: string, id: string, itemId: string): Promise<KeptItem | undefined>;
  removeItem(stackId: string, id: string, itemId: string): Promise<boolean>;
}

export function conversationNotFound(id: string): Fault {
  const shown = JSON.stringify(id.slice(0, 80));
  return new Fault('conversation-not-found', `There is no conversation ${shown}.`, { param: 'conversation' });
}

export function unknownAfter(after: string): Fault {
  const message = `\`after\` must be the id of an item of this list, got ${JSON.stringify(after.slice(0, 80))}.`;
  return new Fault('invalid-request', message, { param: 'after' });
}
