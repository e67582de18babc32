import type { Socket } from 'node:net';
import type { DrainGate } from '../http/drain-gate.ts';
import { turnNowMs } from '../lib/clock.ts';
import { HeadReader } from './head-reader.ts';
import type { HotHead } from './hot-head.ts';
import { RequestStore } from './request-store.ts';
import { withSharedReads } from './shared-reads.ts';
import type { SocketOutlet } from './socket-outlet.ts';

/** Who serves the requests of a connection. */
export interface FastServer {
  readonly drainGate: Pick<DrainGate, 'enter' | 'leave' | 'expect' | 'isClosed'>;
  /** Whether a request with such a head is served here. */
  mayServe(head: HotHead): boolean;
  /** Takes memory for a body; `undefined` where there is none left. */
  hold(bodyBytes: number): Disposable | undefined;
  /** Where the answer to the next request goes. */
  open(connection: FastConnection): SocketOutlet;
  /** Serves a request; its bytes are good until it is answered. */
  serve(head: HotHead, body: Buffer, outlet: SocketOutlet, client: string): void;
  onClosed(connection: FastConnection): void;
}

const HEAD_END = '\r\n\r\n';
/** More than a usual client's head has, and less than Node's parser takes. */
const MAXIMUM_HEAD_BYTES = 8 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
/** Smaller bodies are bounded by the number of connections. */
const HELD_FROM_BYTES = 64 * 1024;

/**
 * One client's connection. Requests of the hot grammar are read here, one after the other; with the first other byte the
 * connection is given to Node's server for good, together with all that came and was not served.
 */
export class FastConnection {
  readonly socket: Socket;
  readonly #server: FastServer;
  readonly #giveAway: (socket: Socket) => void;
  readonly #heads = new HeadReader();
  readonly #store = new RequestStore();
  #head: HotHead | undefined;
  #headBytes = 0;
  /** The memory for a long body. */
  #held: Disposable | undefined;
  /** Where the answer to the request goes that is being served. */
  #outlet: SocketOutlet | undefined;
  /** What a client sent before its answer was complete. */
  #early = NOTHING;
  /** Whether a request is counted that is not served yet: its body or its turn is yet to come. The gateway does not stop without it. */
  #isAwaited = false;
  #closesAfterAnswer = false;
  #hasServed = false;
  #isGivenAway = false;
  /** When the request began to arrive, or the wait for one. */
  #sinceMs = turnNowMs();

  constructor(accepted: Socket, server: FastServer, giveAway: (socket: Socket) => void) {
    const socket = withSharedReads(accepted, this.#onBytes);
    this.socket = socket;
    this.#server = server;
    this.#giveAway = giveAway;
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  get isServing(): boolean {
    return this.#outlet !== undefined || this.#isAwaited;
  }

  /** Whether the client has sent more than the request that is being answered. */
  get hasMore(): boolean {
    return this.#early.length > 0;
  }

  /** Writes to the client; false where it takes no more for now. Text of one byte per character needs no encoding. */
  write(text: string, isPlain: boolean): boolean {
    return this.socket.write(text, isPlain ? 'latin1' : 'utf8');
  }

  /** Calls back with true once everything is flushed, false if the socket died; immediately if nothing is pending. */
  whenFlushed(tell: (isSent: boolean) => void): void {
    if (this.socket.writableLength === 0) tell(true);
    // Not by `drain`, which says nothing of a rest that the socket was still willing to keep.
    else this.socket.write('', (error) => tell(error === undefined || error === null));
  }

  /** The answer is complete: on to what came meanwhile. */
  next(): void {
    this.#outlet = undefined;
    if (this.#held !== undefined) this.#letGo();
    this.#hasServed = true;
    this.#sinceMs = turnNowMs();
    if (this.#closesAfterAnswer) {
      this.#ceaseAwaiting();
      this.socket.end();
      return;
    }
    const early = this.#early;
    if (early.length === 0) return;
    this.#early = NOTHING;
    // Not in this very call: a client that pipelines thousands of requests would fill the stack.
    setImmediate(() => {
      if (this.socket.destroyed) return;
      this.socket.resume();
      this.#read(early);
    });
  }

  /** Ends the connection, at once or after the answer that is under way. */
  closeSoon(): void {
    this.#closesAfterAnswer = true;
    if (this.#outlet === undefined) this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Called every now and then instead of a timer per request. Node's server is the one that knows how long a request may take to come. */
  sweep(nowMs: number, limits: { readonly arrivalMs: number; readonly keepAliveMs: number }): void {
    if (this.#outlet !== undefined) return;
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#hasServed && this.#store.sizeBytes === 0) {
      this.#store.free();
      if (waitedMs >= limits.keepAliveMs) this.socket.destroy();
    } else if (waitedMs >= limits.arrivalMs) this.#leave();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    // Node's parser reads by itself, until somebody asks its socket for plain bytes.
    if (this.#isGivenAway) {
      this.socket.push(Buffer.from(bytes));
      return;
    }
    if (this.#store.sizeBytes === 0) this.#sinceMs = turnNowMs();
    this.#read(bytes);
  };

  readonly #onDrain = (): void => this.#outlet?.drained();

  // Like Node's server, treat a half-close as a disconnect.
  readonly #onEnd = (): void => {
    this.socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#letGo();
    this.#server.onClosed(this);
    this.#ceaseAwaiting();
    this.#outlet?.gone();
  };

  #read(bytes: Buffer): void {
    if (this.#outlet !== undefined) {
      this.#keepEarly(bytes);
      return;
    }
    // The answer said that the connection ends with it.
    if (this.#closesAfterAnswer) return;
    this.#store.add(bytes);
    if (this.#head === undefined && !this.#readHead(bytes)) {
      this.#leave();
      return;
    }
    const head = this.#head;
    if (head === undefined) return;
    if (this.#store.sizeBytes >= this.#headBytes + head.bodyBytes) this.#serve(head);
    else this.#await();
  }

  /** Nothing more is read meanwhile, so that all of it is served in its order. */
  #keepEarly(bytes: Buffer): void {
    if (!this.#server.drainGate.isClosed) this.#await();
    this.#early = Buffer.concat([this.#early, bytes]);
    this.socket.pause();
  }

  /** A head that does not come at once, and whole, is for Node's parser. */
  #readHead(bytes: Buffer): boolean {
    const end = bytes.indexOf(HEAD_END, 0, 'latin1');
    if (end === -1 || end > MAXIMUM_HEAD_BYTES) return false;
    const head = this.#heads.read(bytes.toString('latin1', 0, end + 2));
    if (head === undefined || !this.#server.mayServe(head) || !this.#hold(head.bodyBytes)) return false;
    this.#head = head;
    this.#headBytes = end + HEAD_END.length;
    return true;
  }

  #hold(bodyBytes: number): boolean {
    if (bodyBytes <= HELD_FROM_BYTES) return true;
    this.#held = this.#server.hold(bodyBytes);
    return this.#held !== undefined;
  }

  #letGo(): void {
    this.#held?.[Symbol.dispose]();
    this.#held = undefined;
  }

  #serve(head: HotHead): void {
    const { bytes } = this.#store;
    const end = this.#headBytes + head.bodyBytes;
    const outlet = this.#server.open(this);
    this.#head = undefined;
    this.#store.clear();
    this.#outlet = outlet;
    this.#ceaseAwaiting();
    if (bytes.length > end) this.#keepEarly(bytes.subarray(end));
    this.#server.serve(head, bytes.subarray(this.#headBytes, end), outlet, this.socket.remoteAddress ?? '');
  }

  #await(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    this.#server.drainGate.enter();
  }

  #ceaseAwaiting(): void {
    if (!this.#isAwaited) return;
    this.#isAwaited = false;
    this.#server.drainGate.leave();
  }

  /** Gives the connection away. */
  #leave(): void {
    this.#isGivenAway = true;
    const { socket } = this;
    const { bytes } = this.#store;
    socket.off('data', this.#onBytes).off('drain', this.#onDrain).off('end', this.#onEnd);
    socket.off('error', ignore).off('close', this.#onClose);
    this.#server.onClosed(this);
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    // `onread` still references this object, so free the buffer.
    this.#store.free();
    this.#letGo();
    this.#giveAway(socket);
    socket.resume();
    if (!this.#isAwaited) return;
    this.#server.drainGate.expect(socket);
    // By then Node's server has read the head, and counts the request itself.
    setImmediate(() => this.#ceaseAwaiting());
  }
}

// What follows an error is the close.
function ignore(): void {}
