import { Buffer } from 'node:buffer';
import type { Secret } from '../config/secret.ts';
import type { Clock } from '../lib/clock.ts';
import { GATEWAY_STACK } from '../supervision/fair-line.ts';
import { overloaded, tooSlow, unreachable } from './engine-faults.ts';
import { ExchangeLine } from './exchange-line.ts';
import type { StackPlaces } from './stack-places.ts';
import {
  type ConnectionOwner,
  type ConnectionTarget,
  createReadBuffer,
  UpstreamConnection,
} from './upstream-connection.ts';
import {
  type ExchangeHolder,
  type ResponseHandler,
  UpstreamExchange,
  type UpstreamRequest,
} from './upstream-exchange.ts';
import type { UpstreamLimits } from './upstream-limits.ts';

/** What a pool is made of. */
export interface PoolOptions {
  readonly target: ConnectionTarget;
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
  readonly limits: UpstreamLimits;
  readonly maximumConnections: number;
  /** Connections that one stack may have at a time; absent: all. */
  readonly maximumConnectionsPerStack?: number | undefined;
  readonly maximumWaiting: number;
  /** Of one stack; absent: one may fill the line. */
  readonly maximumWaitingPerStack?: number | undefined;
}

/** Kept-alive connections to one server, in bounded number, and before them a bounded line of requests in which stacks take turns. */
export class UpstreamPool implements ConnectionOwner, ExchangeHolder {
  readonly #options: PoolOptions;
  readonly #headers: string;
  readonly #connections = new Set<UpstreamConnection>();
  readonly #waiting: ExchangeLine;
  readonly #stacks = new Map<string, StackPlaces>();
  readonly #mostOfStack: number;
  readonly #readBuffer = createReadBuffer();
  #idle: UpstreamConnection[] = [];
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#mostOfStack = options.maximumConnectionsPerStack ?? options.maximumConnections;
    this.#waiting = new ExchangeLine({
      maxWaiting: options.maximumWaiting,
      maxWaitingPerStack: options.maximumWaitingPerStack,
      // A text: refusals come in floods, and where in the code they are made tells nobody anything.
      refusal: (message) => overloaded(message),
    });
    this.#headers = commonHeaders(options);
  }

  get limits(): UpstreamLimits {
    return this.#options.limits;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Exchanges under way or waiting. */
  get load(): number {
    return this.#connections.size - this.#idle.length + this.#waiting.length;
  }

  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Sends a request, or lets it wait; what happens comes to the handler, never before this returns. Throws when too many wait. */
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamExchange {
    if (this.#isClosed) throw unreachable(new Error('the engine is closed'));
    const exchange = new UpstreamExchange(request, handler, this.nowMs() + request.timeoutMs);
    this.#place(exchange);
    return exchange;
  }

  /** Ends what has taken too long; called every now and then instead of a timer per request. */
  sweep(): void {
    const nowMs = this.nowMs();
    for (const connection of [...this.#connections]) connection.sweep(nowMs);
    for (const exchange of this.#waiting.takeLate(nowMs)) exchange.fail(tooSlow('no connection became free'));
  }

  /** Drops everything; resolves when the last socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const fault = unreachable(new Error('the engine was closed'));
    for (const exchange of this.#waiting.takeLate(Number.POSITIVE_INFINITY)) exchange.fail(fault);
    for (const connection of [...this.#connections]) connection.stop(fault);
    if (this.#connections.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  drop(exchange: UpstreamExchange): void {
    this.#waiting.remove(exchange);
  }

  setFlowing(): void {}

  /** What waits has not been sent. */
  readonly isSending = true;

  onFree(connection: UpstreamConnection): void {
    this.#giveBack(connection);
    const next = this.#waiting.next();
    if (next === undefined) this.#idle.push(connection);
    else this.#give(connection, next, this.#placesOf(next));
  }

  onClosed(connection: UpstreamConnection, unseen: UpstreamExchange | undefined): void {
    this.#connections.delete(connection);
    if (connection.holder === undefined) this.#idle = this.#idle.filter((other) => other !== connection);
    else this.#giveBack(connection);
    if (this.#isClosed) unseen?.fail(unreachable(new Error('the engine was closed')));
    else this.#replace(unseen);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  /** Uses the room that a closed connection has left: what was sent on it in vain comes before all that waits. */
  #replace(unseen: UpstreamExchange | undefined): void {
    if (unseen !== undefined) unseen.wasRepeated = true;
    const next = unseen ?? this.#waiting.next();
    if (next !== undefined) this.#give(this.#open(), next, this.#placesOf(next));
  }

  /** Those who wait while there is room are all held back by their share, so whoever is below it passes nobody. */
  #place(exchange: UpstreamExchange): void {
    const places = this.#placesOf(exchange);
    const isHeld = places.taken >= this.#mostOfStack;
    const idle = isHeld ? undefined : this.#idle.pop();
    if (idle !== undefined) this.#give(idle, exchange, places);
    else if (!isHeld && this.#hasRoom()) this.#give(this.#open(), exchange, places);
    else {
      this.#waiting.add(exchange, places.stackId, { isHeld });
      exchange.heldBy(this);
    }
  }

  /** Only stacks that have connections are kept in mind: who is found to have none is not, until it is given one. */
  #placesOf({ request: { stackId = GATEWAY_STACK } }: UpstreamExchange): StackPlaces {
    return this.#stacks.get(stackId) ?? { stackId, taken: 0 };
  }

  #give(connection: UpstreamConnection, exchange: UpstreamExchange, places: StackPlaces): void {
    if (places.taken === 0) this.#stacks.set(places.stackId, places);
    places.taken += 1;
    connection.holder = places;
    if (this.#waiting.length > 0 && places.taken >= this.#mostOfStack) this.#waiting.hold(places.stackId);
    this.#startOn(connection, exchange);
  }

  #giveBack(connection: UpstreamConnection): void {
    const places = connection.holder;
    if (places === undefined) return;
    connection.holder = undefined;
    places.taken -= 1;
    if (places.taken === 0) this.#stacks.delete(places.stackId);
    if (this.#waiting.length > 0) this.#waiting.letGo(places.stackId);
  }

  #hasRoom(): boolean {
    return this.#connections.size < this.#options.maximumConnections;
  }

  #open(): UpstreamConnection {
    const connection = new UpstreamConnection(this, this.#options.target, this.#readBuffer);
    this.#connections.add(connection);
    return connection;
  }

  #startOn(connection: UpstreamConnection, exchange: UpstreamExchange): void {
    const { body } = exchange.request;
    if (body === undefined) {
      connection.start(exchange, `${this.#head(exchange)}\r\n`);
    } else if (typeof body === 'string') {
      const length = Buffer.byteLength(body);
      const head = this.#headOf(exchange, 'application/json', length);
      // Text of one byte per character needs no encoding.
      if (length === body.length) connection.start(exchange, head + body);
      else connection.start(exchange, head, [Buffer.from(body)]);
    } else if ('pieces' in body) {
      const [first = '', ...others] = body.pieces;
      const length = others.reduce((bytes, piece) => bytes + piece.length, first.length);
      connection.start(exchange, this.#headOf(exchange, 'application/json', length) + first, others);
    } else {
      const { contentType, bytes } = body;
      connection.start(exchange, this.#headOf(exchange, contentType, bytes.length), [bytes]);
    }
  }

  #headOf(exchange: UpstreamExchange, contentType: string, length: number): string {
    return `${this.#head(exchange)}content-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`;
  }

  #head({ request: { method, path } }: UpstreamExchange): string {
    return `${method} ${path} HTTP/1.1\r\n${this.#headers}`;
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
