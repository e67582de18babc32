import type { JsonRecord } from '../../lib/json-record.ts';
import type { ResponseObject } from '../wire/responses/response-object.ts';
import type { KeptItem, NewResponse } from './response-store.ts';

/** A response to make in the background, held by a lease. */
export interface ResponseJob {
  readonly responseId: string;
  readonly stackId: string;
  readonly keyId: string;
  readonly holder: string;
  /** How often it was begun, this time included. */
  readonly attempts: number;
  /** Whether its events are stored. */
  readonly streams: boolean;
  /** How many of them are. */
  readonly events: number;
  /** The body of its request. */
  readonly body: JsonRecord;
  /** The response as it was queued. */
  readonly queued: ResponseObject;
}

/** The job was cancelled or deleted, or another process holds it. */
export class ResponseJobLost extends Error {
  override readonly name = 'ResponseJobLost';
}

/** A response to put into the queue. */
export interface QueuedResponse {
  readonly response: NewResponse;
  /** The fields of its request, without the input. */
  readonly request: JsonRecord;
  /** Its first events, if they are to be stored. */
  readonly events: readonly string[] | undefined;
}

/** The end of a job. */
export interface FinishedResponse {
  /** In its last state. */
  readonly response: ResponseObject;
  /** Its events after those that are stored. */
  readonly events: readonly string[];
  /** Items that are appended to a conversation. */
  readonly conversation: { readonly id: string; readonly items: readonly KeptItem[] } | undefined;
}

/** Stored events after a number. */
export interface EventPage {
  /** Whether the response has any stored events. */
  readonly hasEvents: boolean;
  /** Whether the response has ended. It has no more events then than those that are stored. */
  readonly hasEnded: boolean;
  /** In order, without a gap. */
  readonly events: readonly string[];
}

/** Responses that are made in the background, over all replicas. */
export interface ResponseQueue {
  /** Throws `too-many-background-responses`. */
  add(queued: QueuedResponse): Promise<void>;
  /** Takes the next job; undefined if none may run now. */
  take(): Promise<ResponseJob | undefined>;
  /** Extends the lease. Throws `ResponseJobLost`, as do the next two. */
  renew(job: ResponseJob): Promise<void>;
  /** Stores events that follow the first `before`. */
  addEvents(job: ResponseJob, before: number, events: readonly string[]): Promise<void>;
  /** Stores the response in its last state, with its last events. */
  finish(job: ResponseJob, before: number, finished: FinishedResponse): Promise<void>;
  /** Puts an unfinished job back. */
  giveBack(job: ResponseJob): Promise<void>;
  /** Cancels a response that has not ended; false if there is none. `event` makes its last event. */
  cancel(stackId: string, id: string, event: (sequence: number) => string): Promise<boolean>;
  /** Undefined if there is no such response. */
  readEvents(stackId: string, id: string, after: number): Promise<EventPage | undefined>;
}

/** Running at a time for one stack. */
export const MOST_RUNNING_PER_STACK = 4;
/** Queued and running of one stack. */
export const MOST_UNFINISHED_PER_STACK = 100;
