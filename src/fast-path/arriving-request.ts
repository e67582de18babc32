import type { FastServer } from './fast-server.ts';
import { HeadReader } from './head-reader.ts';
import type { HotHead } from './hot-head.ts';
import { RequestStore } from './request-store.ts';

type RequestTaker = Pick<FastServer, 'mayServe' | 'hold'>;

/** A request that has arrived; its bytes are good until the next one comes. */
export interface ArrivedRequest {
  readonly head: HotHead;
  readonly body: Buffer;
  /** What came behind it. */
  readonly rest: Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** More than a usual client's head has, and less than Node's parser takes. */
const MAXIMUM_HEAD_BYTES = 8 * 1024;
/** Smaller bodies are bounded by the number of connections. */
const HELD_FROM_BYTES = 64 * 1024;

/** The request that arrives on a connection, and the memory that it lies in. */
export class ArrivingRequest {
  readonly #taker: RequestTaker;
  readonly #heads = new HeadReader();
  readonly #store = new RequestStore();
  #head: HotHead | undefined;
  #headBytes = 0;
  /** The memory for a long body. */
  #held: Disposable | undefined;

  constructor(taker: RequestTaker) {
    this.#taker = taker;
  }

  /** What has arrived of it. */
  get bytes(): Buffer {
    return this.#store.bytes;
  }

  get isEmpty(): boolean {
    return this.#store.sizeBytes === 0;
  }

  /** Whether all of it is there. */
  get isWhole(): boolean {
    return this.#head !== undefined && this.#store.sizeBytes >= this.#headBytes + this.#head.bodyBytes;
  }

  /** Adds bytes that came; false where the request is not for here. */
  add(bytes: Buffer): boolean {
    this.#store.add(bytes);
    return this.#head !== undefined || this.#readHead(bytes);
  }

  /** Gives the request that is whole, and makes place for the next one. */
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

  /** The memory for a long body may be used by others. */
  letGo(): void {
    if (this.#held === undefined) return;
    this.#held[Symbol.dispose]();
    this.#held = undefined;
  }

  /** Gives back the memory that requests lie in. */
  free(): void {
    this.#store.free();
  }

  /** A head that does not come at once, and whole, is for Node's parser. */
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
