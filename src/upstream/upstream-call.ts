import type { Fault } from '../faults/fault.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseSink } from './response-parser.ts';

/** A body that is not JSON. */
export interface TypedBytes {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * JSON as it lies in memory: texts with a character for each byte, and between them buffers that are passed on as they came.
 * Long parts are not copied into texts: those of all requests under way would be copied again by each run of the garbage
 * collector.
 */
export interface JsonBytes {
  readonly pieces: readonly (string | Buffer)[];
}

/** One request to a server. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON, or bytes of the type that is named. */
  readonly body: string | JsonBytes | TypedBytes | undefined;
  /** Until the last byte of the response, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Whose it is: where requests wait for a connection, stacks take turns. Absent: the gateway's own. */
  readonly stackId?: string | undefined;
}

/** Who hears of a response: head, bytes, then exactly one of end and failure; nothing after an abort. */
export interface ResponseHandler extends ResponseSink {
  onEnd(): void;
  onFailure(fault: Fault): void;
}

/** Where an call is: in a waiting line or on a connection. */
export interface UpstreamCallHolder {
  /** Stops work on it at once. */
  drop(call: UpstreamCall): void;
  /** Reads on, or stops reading. */
  setFlowing(isFlowing: boolean): void;
  /** Whether a part of the request has not left yet. */
  readonly isSending: boolean;
}

/** A request and its response. */
export class UpstreamCall implements ResponseSink {
  readonly request: UpstreamRequest;
  readonly #handler: ResponseHandler;
  #holder: UpstreamCallHolder | undefined;
  #isOver = false;
  #isUnwanted = false;
  #isFlowing = true;
  /** When it fails for being too slow, on the clock of its pool. */
  deadlineMs: number;
  /** Whether anything of the body has come. */
  hasBody = false;
  /** Whether it was sent a second time after an idle connection turned out to be closed. */
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

  /** Ends it in this very tick; in HTTP/1.1 that means to drop the connection. */
  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#holder?.drop(this);
  }

  /** The rest is not wanted, but short: it may arrive until then, so that the connection can be used again. */
  release(deadlineMs: number): void {
    // The bytes of a request are there only until it is answered.
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
    // The next request on this connection expects it to flow.
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
