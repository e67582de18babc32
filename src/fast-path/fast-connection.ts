import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { turnNowMs } from '../lib/clock.ts';
import { ArrivingRequest } from './arriving-request.ts';
import type { ConnectionWaits, FastServer } from './fast-server.ts';
import { withSharedReads } from './shared-reads.ts';
import type { SocketOutlet } from './socket-outlet.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * One client connection. Reads requests whose head has the usual form, one after the other. At the first other byte it hands
 * the connection over to Node's server for good, together with all bytes that were not served.
 */
export class FastConnection {
  readonly socket: Socket;
  readonly #server: FastServer;
  readonly #giveAway: (socket: Socket) => void;
  readonly #arriving: ArrivingRequest;
  /** Outlet of the request that is being served. */
  #outlet: SocketOutlet | undefined;
  /** Bytes that the client sent before its answer was complete. */
  #early = NOTHING;
  /** Whether a request counts at the drain gate before it is served: its body is incomplete, or an earlier answer is. Shutdown waits for it. */
  #isAwaited = false;
  #closesAfterAnswer = false;
  #hasServed = false;
  #isGivenAway = false;
  /** When the current request, or the wait for the next one, began. */
  #sinceMs = turnNowMs();

  constructor(accepted: Socket, server: FastServer, giveAway: (socket: Socket) => void) {
    // TLS deciphers into a new buffer already.
    const socket =
      server.sharesReads && !(accepted instanceof TLSSocket)
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

  /** Whether the client has already sent bytes after the request that is being answered. */
  get hasMore(): boolean {
    return this.#early.length > 0;
  }

  /** Writes to the client; false if its buffer is full. `isPlain`: one byte per character, so that no encoding is needed. */
  write(text: string, isPlain: boolean): boolean {
    return this.socket.write(text, isPlain ? 'latin1' : 'utf8');
  }

  /** Calls back with true once everything is flushed, false if the socket died; immediately if nothing is pending. */
  whenFlushed(tell: (isSent: boolean) => void): void {
    if (this.socket.writableLength === 0) tell(true);
    // `drain` would not do: it does not fire while the pending bytes stay below the high-water mark.
    else this.socket.write('', (error) => tell(error === undefined || error === null));
  }

  /** The answer is complete: goes on with the bytes that arrived meanwhile. */
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
    // Not in the same call: a client that pipelines thousands of requests would overflow the stack.
    setImmediate(() => {
      if (this.socket.destroyed) return;
      this.socket.resume();
      this.#read(early);
    });
  }

  /** Closes the connection, after the current answer if there is one. */
  closeSoon(): void {
    this.#closesAfterAnswer = true;
    if (this.#outlet === undefined) this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Called periodically, instead of one timer per request. A slow request goes to Node's server, which has the time-outs for it. */
  sweep(nowMs: number, limits: ConnectionWaits): void {
    if (this.#outlet !== undefined) return;
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#hasServed && this.#arriving.isEmpty) {
      this.#arriving.free();
      if (waitedMs >= limits.keepAliveMs) this.socket.destroy();
      // Clients and proxies open connections ahead of their first request; with Node's server each would cost twice as much for good.
    } else if (waitedMs >= (this.#arriving.isEmpty ? limits.silentMs : limits.arrivalMs)) this.#leave();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    // Node's parser reads from the handle directly, unless its socket is read as a plain stream.
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
    // The response announced `connection: close`.
    if (this.#closesAfterAnswer) return;
    if (!this.#arriving.add(bytes)) this.#leave();
    else if (this.#arriving.isWhole) this.#serve();
    else this.#await();
  }

  /** Stops reading until the current answer is complete, so that requests are served in order. */
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

  /** Hands the connection over to Node's server. */
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
    // By then Node's server has read the head and counts the request itself.
    setImmediate(() => this.#ceaseAwaiting());
  }
}

// A `close` event follows each error.
function ignore(): void {}
