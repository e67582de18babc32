import type { Socket } from 'node:net';
import type { BodyMemory } from '../http/body-memory.ts';
import type { ConnectionFront } from '../http/connection-front.ts';
import type { CorsPolicy } from '../http/cors.ts';
import type { DrainGate } from '../http/drain-gate.ts';
import { Exchange } from '../http/exchange.ts';
import { MAXIMUM_SCANNED_BYTES } from '../http/json-sink.ts';
import type { LargeJson } from '../http/large-json.ts';
import type { ConnectionLimits } from '../http/node-server.ts';
import type { RequestJournal } from '../http/request-journal.ts';
import type { RequestPipeline } from '../http/request-pipeline.ts';
import type { KeyRoute, Route } from '../http/route.ts';
import { turnNowMs } from '../lib/clock.ts';
import { AnswerHeads } from './answer-heads.ts';
import { EndingAnswers } from './ending-answers.ts';
import { FastConnection } from './fast-connection.ts';
import { FastRequest } from './fast-request.ts';
import type { FastServer } from './fast-server.ts';
import type { HotHead } from './hot-head.ts';
import { SocketOutlet } from './socket-outlet.ts';

export interface FastPathParts {
  readonly pipeline: RequestPipeline;
  readonly routes: readonly Route[];
  readonly journal: RequestJournal;
  readonly drainGate: DrainGate;
  readonly cors: CorsPolicy;
  readonly bodyMemory: BodyMemory;
  readonly largeJson: Pick<LargeJson, 'parse'>;
  readonly trustProxy: boolean | readonly string[];
  readonly limits: ConnectionLimits;
  /** Whether connections share one read buffer. */
  readonly sharesReads: boolean;
}

/** The caller is known only once the body has arrived, so all arriving bodies share one stack's part of the memory. */
const NOT_KNOWN_YET = '(arriving)';
/** The longest interval of the time-out checks. */
const SWEEP_MS = 1_000;

/**
 * The fast path of chat, messages and responses: reads requests whose heads have the usual form from the socket itself and serves them by
 * the same pipeline as Node's server. Connections that send anything else go to Node's server.
 */
export class FastPath implements ConnectionFront, FastServer {
  readonly #parts: FastPathParts;
  readonly #heads: AnswerHeads;
  readonly #endings = new EndingAnswers();
  readonly #routes: ReadonlyMap<string, KeyRoute>;
  readonly #connections = new Set<FastConnection>();
  readonly #isDraining = () => this.#parts.drainGate.isDraining;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(parts: FastPathParts) {
    this.#parts = parts;
    const common = parts.cors.origins.length === 0 ? {} : { vary: 'origin' };
    this.#heads = new AnswerHeads(common, parts.limits.keepAliveMs);
    const posts = parts.routes.filter(({ method }) => method === 'POST');
    this.#routes = new Map(posts.flatMap((route) => (route.access === 'key' ? [[route.path, route]] : [])));
  }

  get drainGate(): DrainGate {
    return this.#parts.drainGate;
  }

  get sharesReads(): boolean {
    return this.#parts.sharesReads;
  }

  accept(accepted: Socket, giveAway: (socket: Socket) => void): Socket {
    const connection = new FastConnection(accepted, this, giveAway);
    this.#connections.add(connection);
    const sweepMs = Math.min(SWEEP_MS, this.#parts.limits.fastArrivalMs);
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref();
    return connection.socket;
  }

  onClosed(connection: FastConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  closeIdle(): void {
    for (const connection of [...this.#connections]) if (!connection.isServing) connection.destroy();
  }

  closeAll(): void {
    for (const connection of [...this.#connections]) connection.destroy();
  }

  mayServe({ path, bodyBytes, forwardedFor }: HotHead): boolean {
    const { trustProxy, drainGate } = this.#parts;
    // Only Node's side knows which of several proxies to trust.
    if (forwardedFor !== undefined && typeof trustProxy !== 'boolean') return false;
    // Larger bodies are measured while they arrive, by Node's side.
    return bodyBytes <= MAXIMUM_SCANNED_BYTES && !drainGate.isClosed && this.#routes.has(path);
  }

  hold(bodyBytes: number): Disposable | undefined {
    const held = this.#parts.bodyMemory.open(NOT_KNOWN_YET);
    return held.grow(bodyBytes) === undefined ? held : undefined;
  }

  open(connection: FastConnection): SocketOutlet {
    const isDraining = this.#isDraining;
    return new SocketOutlet({ connection, heads: this.#heads, endings: this.#endings, isDraining });
  }

  serve(head: HotHead, bytes: Buffer, outlet: SocketOutlet, client: string): void {
    const { journal, largeJson, bodyMemory, pipeline } = this.#parts;
    const route = this.#routes.get(head.path);
    if (route === undefined) throw new Error('a head without a route is not served');
    const address = this.#addressOf(head, client);
    const { family } = route;
    const exchange = new Exchange({
      incoming: new FastRequest({ head, bytes, address, largeJson, bodyMemory }),
      outlet,
      family,
      entry: journal.open(route.path, family),
      journal,
    });
    pipeline.serve(route, exchange);
  }

  #addressOf({ forwardedFor }: HotHead, client: string): string {
    if (forwardedFor === undefined || this.#parts.trustProxy !== true) return client;
    return forwardedFor.split(',', 1)[0]?.trim() ?? '';
  }

  #sweep(): void {
    const nowMs = turnNowMs();
    const { fastArrivalMs: arrivalMs, keepAliveMs, headersMs } = this.#parts.limits;
    const waits = { silentMs: headersMs, arrivalMs, keepAliveMs };
    for (const connection of [...this.#connections]) connection.sweep(nowMs, waits);
  }
}
