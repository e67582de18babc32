import type { Fault } from '../faults/fault.ts';
import type { LeasedBytes } from '../lib/leased-bytes.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseSink } from './response-parser.ts';

/** A body that is not JSON. */
export interface TypedBytes {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * JSON in pieces: latin1 strings, and buffers passed on as received. Long parts stay in buffers: as strings of all requests in
 * flight, each garbage collection would copy them again.
 */
export interface JsonBytes {
  readonly pieces: readonly (string | Buffer)[];
  /** Held until the buffers are sent. */
  readonly lease?: LeasedBytes | undefined;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON, or bytes with their content type. */
  readonly body: string | JsonBytes | TypedBytes | undefined;
  /** Until the last byte of the response, including the wait for a connection. */
  readonly timeoutMs: number;
  /** The stack, for taking turns while waiting for a connection. Absent: the gateway itself. */
  readonly stackId?: string | undefined;
  /** Tells the server which span of a trace its work belongs to. */
  readonly traceparent?: string | undefined;
  /** Called if it has to wait for a connection; the result is called when it has one. */
  readonly onWait?: (() => () => void) | undefined;
}

/** Receives a response: head, bytes, then exactly one of end and failure; nothing after an abort. */
export interface ResponseHandler extends ResponseSink {
  onEnd(): void;
  onFailure(fault: Fault): void;
}

/** The current holder of a call: the queue or a connection. */
export interface UpstreamCallHolder {
  /** Stops work on it at once. */
  drop(call: UpstreamCall): void;
  /** Resumes or pauses reading. */
  setFlowing(isFlowing: boolean): void;
  /** Whether part of the request is not sent yet. */
  readonly isSending: boolean;
}

/** A request to a model server and its response. */
export class UpstreamCall implements ResponseSink {
  readonly request: UpstreamRequest;
  readonly #handler: ResponseHandler;
  #holder: UpstreamCallHolder | undefined;
  #isOver = false;
  #isUnwanted = false;
  #isFlowing = true;
  /** When it times out, on the clock of its pool. */
  deadlineMs: number;
  /** Whether any of the body has arrived. */
  hasBody = false;
  /** Called when it has a connection. */
  onConnection: (() => void) | undefined;
  /** Whether it was sent again after an idle connection turned out to be closed. */
  wasRepeated = false;

  constructor(request: UpstreamRequest, handler: ResponseHandler, deadlineMs: number) {
    this.request = request;
    this.#handler = handler;
    this.deadlineMs = deadlineMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isFlowing(): boolean {
    return this.#isFlowing;
  }

  heldBy(holder: UpstreamCallHolder): void {
    this.#holder = holder;
  }

  /** Ends it at once; in HTTP/1.1 that closes the connection. */
  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#holder?.drop(this);
  }

  /** Discards the rest of the response; it may arrive until the deadline, so that the connection can be reused. */
  release(deadlineMs: number): void {
    // The request's bytes are valid only until it is answered.
    if (this.#holder?.isSending === true) {
      this.abort();
      return;
    }
    this.#isUnwanted = true;
    this.deadlineMs = Math.min(this.deadlineMs, deadlineMs);
    this.setFlowing(true);
  }

  setFlowing(isFlowing: boolean): void {
    if (this.#isOver || isFlowing === this.#isFlowing) return;
    this.#isFlowing = isFlowing;
    this.#holder?.setFlowing(isFlowing);
  }

  onHead(head: ResponseHead): void {
    if (this.#wants()) this.#handler.onHead(head);
  }

  onBytes(bytes: Buffer): void {
    this.hasBody = true;
    if (this.#wants()) this.#handler.onBytes(bytes);
  }

  end(): void {
    // The next call on this connection expects it to flow.
    this.setFlowing(true);
    if (this.#wants()) {
      this.#isOver = true;
      this.#handler.onEnd();
    }
    this.#isOver = true;
  }

  fail(fault: Fault): void {
    if (this.#wants()) {
      this.#isOver = true;
      this.#handler.onFailure(fault);
    }
    this.#isOver = true;
  }

  #wants(): boolean {
    return !this.#isOver && !this.#isUnwanted;
  }
}
