import type { JsonRecord } from '../../lib/json-record.ts';
import type { ResponseObject, WrittenResponse } from '../wire/responses/response-object.ts';

/** An item of a response or a conversation, with the id under which requests refer to it. */
export type KeptItem = JsonRecord & { readonly id: string };

/** The stack and key that a response or conversation belongs to. */
export interface ResponseOwner {
  readonly accountId: string;
  readonly stackId: string;
  readonly keyId: string;
}

/** A response to store. */
export interface NewResponse {
  readonly owner: ResponseOwner;
  /** As it is answered. */
  readonly response: WrittenResponse;
  /** The items of its request. */
  readonly input: readonly KeptItem[];
  readonly previousId: string | undefined;
  /** The conversation that input and output are appended to. */
  readonly conversationId: string | undefined;
}

/** Bounds of the history that a request may build on. */
export interface ChainBounds {
  readonly responses: number;
  readonly bytes: number;
}

/** The items of a response and of all before it, oldest first; or the reason why it cannot be built on. */
export type ResponseChain =
  | { readonly kind: 'whole'; readonly items: readonly KeptItem[] }
  /** `id` is the first that is not there. */
  | { readonly kind: 'missing'; readonly id: string }
  | { readonly kind: 'unfinished'; readonly id: string }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-large' };

/** Responses of all stacks. Another stack's ids are as unknown as ids that never were. */
export interface ResponseStore {
  /** On return, every replica finds the response. */
  save(response: NewResponse): Promise<void>;
  find(stackId: string, id: string): Promise<ResponseObject | undefined>;
  /** The items of a response's request; undefined if there is no such response. */
  findInput(stackId: string, id: string): Promise<readonly KeptItem[] | undefined>;
  /** False if there was no such response. */
  remove(stackId: string, id: string): Promise<boolean>;
  readChain(stackId: string, id: string, bounds: ChainBounds): Promise<ResponseChain>;
  /** Items of responses and conversations by their ids; missing ones are left out. */
  findItems(stackId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KeptItem>>;
}
