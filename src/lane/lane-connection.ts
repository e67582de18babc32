import type { Socket } from 'node:net';
import type { Caller } from '../access/caller.ts';
import type { DrainGate } from '../http/drain-gate.ts';
import { turnNowMs } from '../lib/clock.ts';
import { HeadReader } from './head-reader.ts';
import type { HotHead } from './hot-head.ts';
import type { LaneExchange } from './lane-exchange.ts';
import { withSharedReads } from './shared-reads.ts';

/** A request that has arrived. */
export interface HotRequest {
  readonly head: HotHead;
  readonly body: Buffer;
  readonly caller: Caller;
}

/** Who serves the requests of a connection. */
export interface LaneServer {
  readonly drainGate: Pick<DrainGate, 'enter' | 'leave' | 'expect' | 'isClosed'>;
  /** Who asks; `undefined` where nobody is known by that key. Never rejects. */
  callerOf(head: HotHead, connection: LaneConnection): Caller | undefined | Promise<Caller | undefined>;
  /** Serves a request; `undefined` where it must go to Node's server, untouched. */
  serve(request: HotRequest, connection: LaneConnection): LaneExchange | undefined;
  /** Whether a body of such a length is worth waiting for. */
  mayServe(head: HotHead): boolean;
  /** Takes memory for a body; `undefined` where there is none left. */
  hold(bodyBytes: number): Disposable | undefined;
  onClosed(connection: LaneConnection): void;
}

const HEAD_END = '\r\n\r\n';
/** More than a usual client's head has, and less than Node's parser takes. */
const MAXIMUM_HEAD_BYTES = 8 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
/** Smaller bodies are bounded by the number of connections. */
const HELD_FROM_BYTES = 64 * 1024;
/** As much as a small request has. */
const MINIMUM_STORE_BYTES = 4 * 1024;

/**
 * One client's connection. Requests of the hot grammar are read here, one after the other; with the first other byte the
 * connection is given to Node's server for good, together with all that came and was not served.
 */
export class LaneConnection {
  readonly #socket: Socket;
  readonly #server: LaneServer;
  readonly #giveAway: (socket: Socket) => void;
  readonly #heads = new HeadReader();
  #head: HotHead | undefined;
  #headBytes = 0;
  /**
   * Where the requests of the connection lie until they are answered, one after the other. Buffers that live as long as a
   * request would make the garbage collector look through the whole heap every few hundred requests.
   */
  #store = NOTHING;
  /** How much of the store the request takes that is arriving, its head included. */
  #sizeBytes = 0;
  /** The memory for a long body. */
  #held: Disposable | undefined;
  #exchange: LaneExchange | undefined;
  /** What a client sent before its answer was complete. */
  #early = NOTHING;
  /** Whether a request is counted that is not served yet: its body, its key or its turn is yet to come. The gateway does not stop without it. */
  #isAwaited = false;
  #closesAfterAnswer = false;
  #hasServed = false;
  #isGivenAway = false;
  /** When the request began to arrive, or the wait for one. */
  #sinceMs = turnNowMs();

  constructor(accepted: Socket, server: LaneServer, giveAway: (socket: Socket) => void) {
    const socket = withSharedReads(accepted, this.#onBytes);
    this.#socket = socket;
    this.#server = server;
    this.#giveAway = giveAway;
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  /** The underlying socket. */
  get socket(): Socket {
    return this.#socket;
  }

  get client(): string {
    return this.#socket.remoteAddress ?? '';
  }

  get isServing(): boolean {
    return this.#exchange !== undefined || this.#isAwaited;
  }

  /** Whether the client has sent more than the request that is being answered. */
  get hasMore(): boolean {
    return this.#early.length > 0;
  }

  /** Writes to the client; false where it takes no more for now. Text of one byte per character needs no encoding. */
  write(text: string, isPlain: boolean): boolean {
    return this.#socket.write(text, isPlain ? 'latin1' : 'utf8');
  }

  /** Tells once all that was written has left, or that it never will; at once where it has. */
  whenFlushed(tell: (isSent: boolean) => void): void {
    if (this.#socket.writableLength === 0) tell(true);
    // Not by `drain`, which says nothing of a rest that the socket was still willing to keep.
    else this.#socket.write('', (error) => tell(error === undefined || error === null));
  }

  /** The answer is complete: on to what came meanwhile. */
  next(): void {
    this.#exchange = undefined;
    if (this.#held !== undefined) this.#letGo();
    this.#hasServed = true;
    this.#sinceMs = turnNowMs();
    if (this.#closesAfterAnswer) {
      this.#ceaseAwaiting();
      this.#socket.end();
      return;
    }
    const early = this.#early;
    if (early.length === 0) return;
    this.#early = NOTHING;
    // Not in this very call: a client that pipelines thousands of requests would fill the stack.
    setImmediate(() => {
      if (this.#socket.destroyed) return;
      this.#socket.resume();
      this.#read(early);
    });
  }

  /** Ends the connection, at once or after the answer that is under way. */
  closeSoon(): void {
    this.#closesAfterAnswer = true;
    if (this.#exchange === undefined) this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Called every now and then instead of a timer per request. Node's server is the one that knows how long a request may take to come. */
  sweep(nowMs: number, limits: { readonly arrivalMs: number; readonly keepAliveMs: number }): void {
    if (this.#exchange !== undefined) {
      this.#exchange.sweep(nowMs);
      return;
    }
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#hasServed && this.#sizeBytes === 0) {
      this.#store = NOTHING;
      if (waitedMs >= limits.keepAliveMs) this.#socket.destroy();
    } else if (waitedMs >= limits.arrivalMs) this.#leave();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    // Node's parser reads by itself, until somebody asks its socket for plain bytes.
    if (this.#isGivenAway) {
      this.#socket.push(Buffer.from(bytes));
      return;
    }
    if (this.#sizeBytes === 0) this.#sinceMs = turnNowMs();
    this.#read(bytes);
  };

  readonly #onDrain = (): void => this.#exchange?.clientDrained();

  // As Node's server does: who closes its side is not interested any more.
  readonly #onEnd = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#letGo();
    this.#server.onClosed(this);
    this.#ceaseAwaiting();
    this.#exchange?.clientGone();
  };

  #read(bytes: Buffer): void {
    if (this.#exchange !== undefined) {
      this.#keepEarly(bytes);
      return;
    }
    // The answer said that the connection ends with it.
    if (this.#closesAfterAnswer) return;
    this.#keep(bytes);
    if (this.#head === undefined && !this.#readHead(bytes)) {
      this.#leave();
      return;
    }
    const head = this.#head;
    if (head === undefined) return;
    if (this.#sizeBytes >= this.#headBytes + head.bodyBytes) this.#admit(head);
    else this.#await();
  }

  /** Nothing more is read meanwhile, so that all of it is served in its order. */
  #keepEarly(bytes: Buffer): void {
    if (!this.#server.drainGate.isClosed) this.#await();
    this.#early = Buffer.concat([this.#early, bytes]);
    this.#socket.pause();
  }

  #admit(head: HotHead): void {
    const caller = this.#server.callerOf(head, this);
    if (!(caller instanceof Promise)) {
      this.#serve(head, caller);
      return;
    }
    this.#await();
    this.#socket.pause();
    void caller.then((known) => {
      // It may have taken so long that Node's server has the connection.
      if (this.#socket.destroyed || this.#isGivenAway) return;
      this.#socket.resume();
      this.#serve(head, known);
    });
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

  #serve(head: HotHead, caller: Caller | undefined): void {
    const bytes = this.#arrived();
    const end = this.#headBytes + head.bodyBytes;
    const body = bytes.subarray(this.#headBytes, end);
    const exchange = caller === undefined ? undefined : this.#server.serve({ head, body, caller }, this);
    if (exchange === undefined) {
      this.#leave();
      return;
    }
    this.#head = undefined;
    this.#sizeBytes = 0;
    this.#exchange = exchange;
    this.#ceaseAwaiting();
    if (bytes.length > end) this.#keepEarly(bytes.subarray(end));
    exchange.begin();
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

  #keep(bytes: Buffer): void {
    const sizeBytes = this.#sizeBytes + bytes.length;
    if (this.#store.length < sizeBytes) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(MINIMUM_STORE_BYTES, 2 ** Math.ceil(Math.log2(sizeBytes))),
      );
      this.#store.copy(larger, 0, 0, this.#sizeBytes);
      this.#store = larger;
    }
    bytes.copy(this.#store, this.#sizeBytes);
    this.#sizeBytes = sizeBytes;
  }

  #arrived(): Buffer {
    return this.#store.subarray(0, this.#sizeBytes);
  }

  /** Gives the connection away. */
  #leave(): void {
    this.#isGivenAway = true;
    const socket = this.#socket;
    const bytes = this.#arrived();
    socket.off('data', this.#onBytes).off('drain', this.#onDrain).off('end', this.#onEnd);
    socket.off('error', ignore).off('close', this.#onClose);
    this.#server.onClosed(this);
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    // The socket still knows who read for it.
    this.#store = NOTHING;
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
