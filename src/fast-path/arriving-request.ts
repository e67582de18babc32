import type { FastServer } from './fast-server.ts';
import { HeadReader } from './head-reader.ts';
import type { HotHead } from './hot-head.ts';
import { RequestStore } from './request-store.ts';

type RequestTaker = Pick<FastServer, 'mayServe' | 'hold'>;

/** A complete request; its bytes are valid until the next one arrives. */
export interface ArrivedRequest {
  readonly head: HotHead;
  readonly body: Buffer;
  /** Bytes after the request, the start of the next one. */
  readonly rest: Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** More than the head of a usual client, less than the limit of Node's parser. */
const MAXIMUM_HEAD_BYTES = 8 * 1024;
/** Larger bodies reserve memory; smaller ones are bounded by the number of connections. */
const HELD_FROM_BYTES = 64 * 1024;

/** The request that is arriving on a connection, and its buffer. */
export class ArrivingRequest {
  readonly #taker: RequestTaker;
  readonly #heads = new HeadReader();
  readonly #store = new RequestStore();
  #head: HotHead | undefined;
  #headBytes = 0;
  /** The memory reserved for a large body. */
  #held: Disposable | undefined;

  constructor(taker: RequestTaker) {
    this.#taker = taker;
  }

  /** The bytes received so far. */
  get bytes(): Buffer {
    return this.#store.bytes;
  }

  get isEmpty(): boolean {
    return this.#store.sizeBytes === 0;
  }

  /** Whether the whole request has arrived. */
  get isWhole(): boolean {
    return this.#head !== undefined && this.#store.sizeBytes >= this.#headBytes + this.#head.bodyBytes;
  }

  /** Adds received bytes; false if this request must go to Node's server. */
  add(bytes: Buffer): boolean {
    this.#store.add(bytes);
    return this.#head !== undefined || this.#readHead(bytes);
  }

  /** Returns the complete request and clears the buffer for the next one. */
  take(): ArrivedRequest {
    const head = this.#head;
    if (head === undefined) throw new Error('a request without a head has not arrived');
    const { bytes } = this.#store;
    const end = this.#headBytes + head.bodyBytes;
    this.#head = undefined;
    this.#store.clear();
    const rest = bytes.length > end ? bytes.subarray(end) : NOTHING;
    return { head, body: bytes.subarray(this.#headBytes, end), rest };
  }

  /** Releases the memory reserved for a large body. */
  letGo(): void {
    if (this.#held === undefined) return;
    this.#held[Symbol.dispose]();
    this.#held = undefined;
  }

  /** Frees the buffer. */
  free(): void {
    this.#store.free();
  }

  /** False unless the whole head is in these bytes: a split head goes to Node's parser. */
  #readHead(bytes: Buffer): boolean {
    const end = bytes.indexOf(HEAD_END, 0, 'latin1');
    if (end === -1 || end > MAXIMUM_HEAD_BYTES) return false;
    const head = this.#heads.read(bytes.toString('latin1', 0, end + 2));
    if (head === undefined || !this.#taker.mayServe(head) || !this.#hold(head.bodyBytes)) return false;
    this.#head = head;
    this.#headBytes = end + HEAD_END.length;
    return true;
  }

  #hold(bodyBytes: number): boolean {
    if (bodyBytes <= HELD_FROM_BYTES) return true;
    this.#held = this.#taker.hold(bodyBytes);
    return this.#held !== undefined;
  }
}
