import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ServerCertificates } from '../config/config.ts';
import type { Fault } from '../faults/fault.ts';
import type { LeasedBytes } from '../lib/leased-bytes.ts';
import { brokenOff, tooSlow, unreachable, unusable } from './engine-faults.ts';
import { ResponseParser } from './response-parser.ts';
import type { StackConnections } from './stack-connections.ts';
import { tlsOptions } from './tls-options.ts';
import type { UpstreamAddress } from './upstream-address.ts';
import type { UpstreamCall, UpstreamCallHolder } from './upstream-call.ts';
import type { UpstreamLimits } from './upstream-limits.ts';

/** The pool as seen by a connection. */
export interface ConnectionOwner {
  readonly limits: UpstreamLimits;
  nowMs(): number;
  /** It can take another call. */
  onFree(connection: UpstreamConnection): void;
  /** Its socket is closed; `unseen` is a call the server did not see because it had already closed the idle connection. */
  onClosed(connection: UpstreamConnection, unseen: UpstreamCall | undefined): void;
}

export interface ConnectionTarget {
  readonly address: UpstreamAddress;
  /** Certificates that are trusted instead of the system's, and the one that is shown. */
  readonly certificates: ServerCertificates | undefined;
}

const NOTHING: readonly Buffer[] = [];
const READ_BUFFER_BYTES = 64 * 1024;

/** A keep-alive connection that carries one call at a time. */
export class UpstreamConnection implements UpstreamCallHolder {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #call: UpstreamCall | undefined;
  #parser: ResponseParser | undefined;
  #isConnected = false;
  #wasUsed = false;
  #hasAnswered = false;
  /** Time of the last byte, of connecting, or of becoming idle. */
  #lastMs: number;
  /** Whether a time-out of the call was over at the last sweep. */
  #isOverdue = false;
  #error: unknown;
  /** The stack that uses it, until it is free or closed. */
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

  /** Sends a request in one write: a latin1 string, and the rest, whose memory is held until the socket is done with it. */
  start(
    call: UpstreamCall,
    text: string,
    rest: readonly (string | Buffer)[] = NOTHING,
    lease?: LeasedBytes,
  ): void {
    this.#call = call;
    if (this.#parser === undefined) this.#parser = new ResponseParser(call);
    else this.#parser.restart(call);
    this.#hasAnswered = false;
    this.#isOverdue = false;
    call.heldBy(this);
    if (rest.length === 0) {
      this.#socket.write(text, 'latin1');
      return;
    }
    this.#socket.cork();
    this.#socket.write(text, 'latin1');
    for (const piece of rest) this.#socket.write(piece, 'latin1');
    // Also called when the socket is destroyed, once the system no longer reads what was written.
    if (lease !== undefined) this.#socket.write('', lease.hold()[Symbol.dispose]);
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

  /** Closes the socket and fails the current call. */
  stop(fault: Fault): void {
    this.#fail(fault);
  }

  /** Enforces timeouts. */
  sweep(nowMs: number): void {
    const silentMs = nowMs - this.#lastMs;
    const call = this.#call;
    if (call === undefined) {
      if (silentMs >= this.#owner.limits.idleConnectionMs) this.#socket.destroy();
      return;
    }
    const fault = this.#timeOut(call, nowMs, silentMs);
    // At the second sweep: what came while this process stood still is read between the two.
    if (fault !== undefined && this.#isOverdue) this.#fail(fault());
    this.#isOverdue = fault !== undefined;
  }

  #timeOut(call: UpstreamCall, nowMs: number, silentMs: number): (() => Fault) | undefined {
    const { connectMs, silenceMs } = this.#owner.limits;
    if (nowMs >= call.deadlineMs) return () => tooSlow('the whole time is up');
    if (!this.#isConnected && silentMs >= connectMs)
      return () => unreachable(new Error(`no connection within ${connectMs} ms`));
    // Not counted from the head: vLLM sends it before the prompt was queued and read.
    if (call.hasBody && call.isFlowing && silentMs >= silenceMs)
      return () => tooSlow(`no byte for ${silenceMs} ms`);
    return undefined;
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser;
    if (this.#call === undefined || parser === undefined) {
      // Unsolicited bytes.
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

  /** The server closed its side, which ends some responses. */
  #ended(): void {
    this.#parser?.finish();
    if (this.#call !== undefined && this.#parser?.isOver) this.#finish(false);
    else this.#socket.destroy();
  }

  /** A response before the request was fully sent leaves the connection in an undefined state. */
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

/** Reads are synchronous, so all connections share one buffer instead of allocating per read. */
export function createReadBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);
}

function openSocket(
  { address, certificates }: ConnectionTarget,
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
    ...tlsOptions(certificates),
    ALPNProtocols: ['http/1.1'],
  });
}
