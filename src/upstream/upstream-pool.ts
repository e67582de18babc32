import { Buffer } from 'node:buffer';
import type { Secret } from '../config/secret.ts';
import type { Clock } from '../lib/clock.ts';
import { GATEWAY_STACK } from '../supervision/round-robin-queue.ts';
import { overloaded, tooSlow, unreachable } from './engine-faults.ts';
import type { StackConnections } from './stack-connections.ts';
import {
  type ResponseHandler,
  UpstreamCall,
  type UpstreamCallHolder,
  type UpstreamRequest,
} from './upstream-call.ts';
import {
  type ConnectionOwner,
  type ConnectionTarget,
  createReadBuffer,
  UpstreamConnection,
} from './upstream-connection.ts';
import type { UpstreamLimits } from './upstream-limits.ts';
import { UpstreamQueue } from './upstream-queue.ts';

export interface PoolOptions {
  readonly target: ConnectionTarget;
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
  readonly limits: UpstreamLimits;
  readonly maximumConnections: number;
  /** Connections per stack; absent: no limit. */
  readonly maximumConnectionsPerStack?: number | undefined;
  readonly maximumWaiting: number;
  /** Per stack; absent: one stack may fill the queue. */
  readonly maximumWaitingPerStack?: number | undefined;
}

/** A bounded pool of keep-alive connections to one server, with a bounded queue in which stacks take turns. */
export class UpstreamPool implements ConnectionOwner, UpstreamCallHolder {
  readonly #options: PoolOptions;
  /** Made again when the key was replaced. */
  #headers: string;
  #headersKey: string | undefined;
  readonly #connections = new Set<UpstreamConnection>();
  readonly #waiting: UpstreamQueue;
  readonly #stacks = new Map<string, StackConnections>();
  readonly #mostOfStack: number;
  readonly #readBuffer = createReadBuffer();
  #idle: UpstreamConnection[] = [];
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#mostOfStack = options.maximumConnectionsPerStack ?? options.maximumConnections;
    this.#waiting = new UpstreamQueue({
      maxWaiting: options.maximumWaiting,
      maxWaitingPerStack: options.maximumWaitingPerStack,
      // A string: refusals come in floods, and their stack trace is useless.
      refusal: (message) => overloaded(message),
    });
    this.#headers = commonHeaders(options);
    this.#headersKey = options.apiKey?.reveal();
  }

  get limits(): UpstreamLimits {
    return this.#options.limits;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Calls under way or waiting. */
  get load(): number {
    return this.#connections.size - this.#idle.length + this.#waiting.length;
  }

  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Sends a request or queues it; the handler is never called before this returns. Throws if too many wait. */
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamCall {
    if (this.#isClosed) throw unreachable(new Error('the engine is closed'));
    const call = new UpstreamCall(request, handler, this.nowMs() + request.timeoutMs);
    this.#assign(call);
    return call;
  }

  /** Enforces timeouts; called periodically instead of a timer per request. */
  sweep(): void {
    const nowMs = this.nowMs();
    for (const connection of [...this.#connections]) connection.sweep(nowMs);
    for (const call of this.#waiting.takeLate(nowMs)) call.fail(tooSlow('no connection became free'));
  }

  /** Aborts everything; resolves when the last socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const fault = unreachable(new Error('the engine was closed'));
    for (const call of this.#waiting.takeLate(Number.POSITIVE_INFINITY)) call.fail(fault);
    for (const connection of [...this.#connections]) connection.stop(fault);
    if (this.#connections.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  drop(call: UpstreamCall): void {
    this.#waiting.remove(call);
  }

  setFlowing(): void {}

  /** A waiting call has not been sent. */
  readonly isSending = true;

  onFree(connection: UpstreamConnection): void {
    this.#release(connection);
    const next = this.#waiting.next();
    if (next === undefined) this.#idle.push(connection);
    else this.#give(connection, next, this.#connectionsOf(next));
  }

  onClosed(connection: UpstreamConnection, unseen: UpstreamCall | undefined): void {
    this.#connections.delete(connection);
    if (connection.holder === undefined) this.#idle = this.#idle.filter((other) => other !== connection);
    else this.#release(connection);
    if (this.#isClosed) unseen?.fail(unreachable(new Error('the engine was closed')));
    else this.#replace(unseen);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  /** Uses the slot of a closed connection; a call that was lost with it comes first. */
  #replace(unseen: UpstreamCall | undefined): void {
    if (unseen !== undefined) unseen.wasRepeated = true;
    const next = unseen ?? this.#waiting.next();
    if (next !== undefined) this.#give(this.#open(), next, this.#connectionsOf(next));
  }

  /** While a connection is available, only stacks at their bound wait, so a stack below its bound overtakes no one. */
  #assign(call: UpstreamCall): void {
    const own = this.#connectionsOf(call);
    const isHeld = own.taken >= this.#mostOfStack;
    const idle = isHeld ? undefined : this.#idle.pop();
    if (idle !== undefined) this.#give(idle, call, own);
    else if (!isHeld && this.#hasRoom()) this.#give(this.#open(), call, own);
    else {
      this.#waiting.add(call, own.stackId, { isHeld });
      call.heldBy(this);
      call.onConnection = call.request.onWait?.();
    }
  }

  /** Only stacks with connections are stored: a new entry is not stored until it gets one. */
  #connectionsOf({ request: { stackId = GATEWAY_STACK } }: UpstreamCall): StackConnections {
    return this.#stacks.get(stackId) ?? { stackId, taken: 0 };
  }

  #give(connection: UpstreamConnection, call: UpstreamCall, own: StackConnections): void {
    if (own.taken === 0) this.#stacks.set(own.stackId, own);
    own.taken += 1;
    connection.holder = own;
    if (this.#waiting.length > 0 && own.taken >= this.#mostOfStack) this.#waiting.hold(own.stackId);
    this.#startOn(connection, call);
  }

  #release(connection: UpstreamConnection): void {
    const own = connection.holder;
    if (own === undefined) return;
    connection.holder = undefined;
    own.taken -= 1;
    if (own.taken === 0) this.#stacks.delete(own.stackId);
    if (this.#waiting.length > 0) this.#waiting.letGo(own.stackId);
  }

  #hasRoom(): boolean {
    return this.#connections.size < this.#options.maximumConnections;
  }

  #open(): UpstreamConnection {
    const connection = new UpstreamConnection(this, this.#options.target, this.#readBuffer);
    this.#connections.add(connection);
    return connection;
  }

  #startOn(connection: UpstreamConnection, call: UpstreamCall): void {
    const { body } = call.request;
    call.onConnection?.();
    if (body === undefined) {
      connection.start(call, `${this.#head(call)}\r\n`);
    } else if (typeof body === 'string') {
      const length = Buffer.byteLength(body);
      const head = this.#headOf(call, 'application/json', length);
      // A latin1 string needs no encoding.
      if (length === body.length) connection.start(call, head + body);
      else connection.start(call, head, [Buffer.from(body)]);
    } else if ('pieces' in body) {
      const [first = '', ...others] = body.pieces;
      const length = others.reduce((bytes, piece) => bytes + piece.length, first.length);
      connection.start(call, this.#headOf(call, 'application/json', length) + first, others, body.lease);
    } else {
      const { contentType, bytes } = body;
      connection.start(call, this.#headOf(call, contentType, bytes.length), [bytes]);
    }
  }

  #headOf(call: UpstreamCall, contentType: string, length: number): string {
    return `${this.#head(call)}content-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`;
  }

  #head({ request: { method, path, traceparent } }: UpstreamCall): string {
    const key = this.#options.apiKey?.reveal();
    if (key !== this.#headersKey) {
      this.#headers = commonHeaders(this.#options);
      this.#headersKey = key;
    }
    const trace = traceparent === undefined ? '' : `traceparent: ${traceparent}\r\n`;
    return `${method} ${path} HTTP/1.1\r\n${this.#headers}${trace}`;
  }
}

function commonHeaders({ target, apiKey }: PoolOptions): string {
  const key = apiKey?.reveal();
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new RangeError('the API key of the model server must be visible ASCII characters');
  }
  const authorization = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
  return `host: ${target.address.authority}\r\nuser-agent: stackgate\r\naccept: */*\r\naccept-encoding: identity\r\n${authorization}`;
}
