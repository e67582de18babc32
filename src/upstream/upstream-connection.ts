import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Fault } from '../faults/fault.ts';
import { brokenOff, tooSlow, unreachable, unusable } from './engine-faults.ts';
import { ResponseParser } from './response-parser.ts';
import type { StackConnections } from './stack-connections.ts';
import type { UpstreamAddress } from './upstream-address.ts';
import type { UpstreamCall, UpstreamCallHolder } from './upstream-call.ts';
import type { UpstreamLimits } from './upstream-limits.ts';

/** What a connection needs from its pool. */
export interface ConnectionOwner {
  readonly limits: UpstreamLimits;
  nowMs(): number;
  /** It can take another call. */
  onFree(connection: UpstreamConnection): void;
  /** Its socket is closed for good; `unseen` is the call for which it was idle too long: the server had closed it before it saw the request. */
  onClosed(connection: UpstreamConnection, unseen: UpstreamCall | undefined): void;
}

/** Where to connect, and whom to trust there. */
export interface ConnectionTarget {
  readonly address: UpstreamAddress;
  /** PEM certificates that are trusted instead of the system's. */
  readonly certificateAuthorities: string | undefined;
}

const NOTHING: readonly Buffer[] = [];
const READ_BUFFER_BYTES = 64 * 1024;

/** A kept-alive connection that carries one call at a time. */
export class UpstreamConnection implements UpstreamCallHolder {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #call: UpstreamCall | undefined;
  #parser: ResponseParser | undefined;
  #isConnected = false;
  #wasUsed = false;
  #hasAnswered = false;
  /** The last byte, the begin of the connecting, or the begin of idleness. */
  #lastMs: number;
  #error: unknown;
  /** Who is counted for it, until it is free or closed. */
  holder: StackConnections | undefined;

  constructor(owner: ConnectionOwner, target: ConnectionTarget, readBuffer: Buffer) {
    this.#owner = owner;
    this.#lastMs = owner.nowMs();
    this.#socket = openSocket(target, readBuffer, (bytes) => this.#read(bytes));
    this.#socket.once(target.address.isTls ? 'secureConnect' : 'connect', () => {
      this.#isConnected = true;
    });
    this.#socket.on('error', (error) => {
      this.#error = error;
    });
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('close', () => this.#closed());
  }

  /** Sends a request in one write: a text with a character for each byte, and what follows it. */
  start(call: UpstreamCall, text: string, rest: readonly (string | Buffer)[] = NOTHING): void {
    this.#call = call;
    if (this.#parser === undefined) this.#parser = new ResponseParser(call);
    else this.#parser.restart(call);
    this.#hasAnswered = false;
    call.heldBy(this);
    if (rest.length === 0) {
      this.#socket.write(text, 'latin1');
      return;
    }
    this.#socket.cork();
    this.#socket.write(text, 'latin1');
    for (const piece of rest) this.#socket.write(piece, 'latin1');
    this.#socket.uncork();
  }

  drop(): void {
    this.#call = undefined;
    this.#socket.destroy();
  }

  get isSending(): boolean {
    return this.#socket.writableLength > 0;
  }

  setFlowing(isFlowing: boolean): void {
    this.#lastMs = this.#owner.nowMs();
    if (isFlowing) this.#socket.resume();
    else this.#socket.pause();
  }

  /** Closes the socket, and fails what is under way. */
  stop(fault: Fault): void {
    this.#fail(fault);
  }

  /** Ends what has taken too long. */
  sweep(nowMs: number): void {
    const { connectMs, silenceMs, idleConnectionMs } = this.#owner.limits;
    const silentMs = nowMs - this.#lastMs;
    const call = this.#call;
    if (call === undefined) {
      if (silentMs >= idleConnectionMs) this.#socket.destroy();
    } else if (nowMs >= call.deadlineMs) this.#fail(tooSlow('the whole time is up'));
    else if (!this.#isConnected && silentMs >= connectMs) {
      this.#fail(unreachable(new Error(`no connection within ${connectMs} ms`)));
    } else if (call.hasBody && call.isFlowing && silentMs >= silenceMs) {
      // Not from the head on: vLLM sends it before the prompt has waited its turn and is read.
      this.#fail(tooSlow(`no byte for ${silenceMs} ms`));
    }
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser;
    if (this.#call === undefined || parser === undefined) {
      // Bytes that nobody asked for.
      this.#socket.destroy();
      return;
    }
    this.#hasAnswered = true;
    this.#lastMs = this.#owner.nowMs();
    try {
      const surplus = parser.feed(bytes);
      if (parser.isOver) this.#finish(parser.keepsAlive && surplus === 0);
    } catch (error) {
      this.#fail(unusable(error));
    }
  }

  /** The server has closed its side, which for some answers is their end. */
  #ended(): void {
    this.#parser?.finish();
    if (this.#call !== undefined && this.#parser?.isOver) this.#finish(false);
    else this.#socket.destroy();
  }

  /** A response that came before the whole request was sent leaves the connection in an unclear state. */
  #finish(isReusable: boolean): void {
    const call = this.#call;
    this.#call = undefined;
    this.#wasUsed = true;
    const isFree = call !== undefined && isReusable && !this.isSending;
    if (isFree) this.#owner.onFree(this);
    else this.#socket.destroy();
    call?.end();
  }

  #fail(fault: Fault): void {
    const call = this.#call;
    this.drop();
    call?.fail(fault);
  }

  #closed(): void {
    const call = this.#call;
    this.#call = undefined;
    const isUnseen = this.#wasUsed && !this.#hasAnswered && call?.wasRepeated === false;
    this.#owner.onClosed(this, isUnseen ? call : undefined);
    if (!isUnseen) call?.fail(this.#isConnected ? brokenOff(this.#error) : unreachable(this.#error));
  }
}

/** One connection reads at a time, so all may share a buffer: none is allocated per read. */
export function createReadBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);
}

function openSocket(
  { address, certificateAuthorities }: ConnectionTarget,
  buffer: Buffer,
  onBytes: (bytes: Buffer) => void,
): Socket {
  const onread = {
    buffer,
    callback: (length: number) => {
      onBytes(buffer.subarray(0, length));
      return true;
    },
  };
  const { host, port, serverName } = address;
  const options = { host, port, noDelay: true, keepAlive: true, onread };
  if (!address.isTls) return connectPlain(options);
  return connectTls({
    ...options,
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
    ALPNProtocols: ['http/1.1'],
  });
}
