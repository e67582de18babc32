import type { Socket } from 'node:net';
import { turnNowMs } from '../lib/clock.ts';
import { ArrivingRequest } from './arriving-request.ts';
import type { FastServer } from './fast-server.ts';
import { withSharedReads } from './shared-reads.ts';
import type { SocketOutlet } from './socket-outlet.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * One client's connection. Requests of the hot grammar are read here, one after the other; with the first other byte the
 * connection is given to Node's server for good, together with all that came and was not served.
 */
export class FastConnection {
  readonly socket: Socket;
  readonly #server: FastServer;
  readonly #giveAway: (socket: Socket) => void;
  readonly #arriving: ArrivingRequest;
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
    const socket = server.sharesReads
      ? withSharedReads(accepted, this.#onBytes)
      : accepted.on('data', this.#onBytes);
    this.socket = socket;
    this.#server = server;
    this.#arriving = new ArrivingRequest(server);
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
    this.#arriving.letGo();
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
    if (this.#hasServed && this.#arriving.isEmpty) {
      this.#arriving.free();
      if (waitedMs >= limits.keepAliveMs) this.socket.destroy();
    } else if (waitedMs >= limits.arrivalMs) this.#leave();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    // Node's parser reads by itself, until somebody asks its socket for plain bytes.
    if (this.#isGivenAway) {
      this.socket.push(Buffer.from(bytes));
      return;
    }
    if (this.#arriving.isEmpty) this.#sinceMs = turnNowMs();
    this.#read(bytes);
  };

  readonly #onDrain = (): void => this.#outlet?.drained();

  // Like Node's server, treat a half-close as a disconnect.
  readonly #onEnd = (): void => {
    this.socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#arriving.letGo();
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
    if (!this.#arriving.add(bytes)) this.#leave();
    else if (this.#arriving.isWhole) this.#serve();
    else this.#await();
  }

  /** Nothing more is read meanwhile, so that all of it is served in its order. */
  #keepEarly(bytes: Buffer): void {
    if (!this.#server.drainGate.isClosed) this.#await();
    this.#early = Buffer.concat([this.#early, bytes]);
    this.socket.pause();
  }

  #serve(): void {
    const { head, body, rest } = this.#arriving.take();
    const outlet = this.#server.open(this);
    this.#outlet = outlet;
    this.#ceaseAwaiting();
    if (rest.length > 0) this.#keepEarly(rest);
    this.#server.serve(head, body, outlet, this.socket.remoteAddress ?? '');
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
    const { bytes } = this.#arriving;
    socket.off('data', this.#onBytes).off('drain', this.#onDrain).off('end', this.#onEnd);
    socket.off('error', ignore).off('close', this.#onClose);
    this.#server.onClosed(this);
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    // `onread` still references this object, so free the buffer.
    this.#arriving.free();
    this.#arriving.letGo();
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
