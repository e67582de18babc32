import type { Socket } from 'node:net';
import type { Caller } from '../access/caller.ts';
import { RequestMeter } from '../access/request-meter.ts';
import type { ConnectionFront } from '../http/connection-front.ts';
import type { DrainGate } from '../http/drain-gate.ts';
import { LARGE_JSON_BYTES } from '../http/json-sink.ts';
import type { ConnectionLimits } from '../http/node-server.ts';
import { parseJson } from '../http/parse-json.ts';
import type { RequestHandlerParts } from '../http/request-handler.ts';
import { type HotTextRoute, hotTextRoutes, wireContext } from '../http/routes/text.ts';
import { turnNowMs } from '../lib/clock.ts';
import { expectedTokens, type TextService } from '../text/text-service.ts';
import { AnswerHeads } from './answer-head.ts';
import type { HotHead } from './hot-head.ts';
import { type HotRequest, LaneConnection, type LaneServer } from './lane-connection.ts';
import { LaneExchange } from './lane-exchange.ts';

export interface LaneParts extends Omit<RequestHandlerParts, 'timeouts' | 'spool' | 'largeJson'> {
  readonly text: TextService;
  readonly trustProxy: boolean | readonly string[];
  readonly limits: ConnectionLimits;
}

/** Larger bodies are measured while they arrive, which is done elsewhere. */
const MAXIMUM_BODY_BYTES = 2 * 1024 * 1024;
/** The caller is known only once the body has arrived, so all arriving bodies share one stack's part of the memory. */
const NOT_KNOWN_YET = '(arriving)';
/** How often times are looked at. */
const SWEEP_MS = 1_000;
/** What has not come by then may take its time with Node's server. */
const ARRIVAL_MS = 2_000;

/**
 * The short way of chat and messages: a request of the usual form, from a caller just seen, whose answer can begin at once.
 * Everything that would have to wait, or be refused, goes the whole way; the lane never says no to anybody.
 */
export class Lane implements ConnectionFront, LaneServer {
  readonly #parts: LaneParts;
  readonly #heads: AnswerHeads;
  readonly #routes = new Map<string, HotTextRoute>(hotTextRoutes.map((route) => [route.path, route]));
  readonly #connections = new Set<LaneConnection>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    const common = parts.cors.origins.length === 0 ? {} : { vary: 'origin' };
    this.#heads = new AnswerHeads(common, parts.limits.keepAliveMs);
  }

  get drainGate(): DrainGate {
    return this.#parts.drainGate;
  }

  accept(accepted: Socket, giveAway: (socket: Socket) => void): Socket {
    const connection = new LaneConnection(accepted, this, giveAway);
    this.#connections.add(connection);
    this.#sweeping ??= setInterval(
      () => this.#sweep(),
      Math.min(SWEEP_MS, this.#parts.streamTimes.firstPingMs, this.#parts.streamTimes.stalledMs),
    ).unref();
    return connection.socket;
  }

  onClosed(connection: LaneConnection): void {
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

  mayServe({ bodyBytes, forwardedFor }: HotHead): boolean {
    const { trustProxy, drainGate } = this.#parts;
    // Which of several proxies may be believed is not decided here.
    if (forwardedFor !== undefined && typeof trustProxy !== 'boolean') return false;
    return bodyBytes <= MAXIMUM_BODY_BYTES && !drainGate.isClosed;
  }

  hold(bodyBytes: number): Disposable | undefined {
    const held = this.#parts.bodyMemory.open(NOT_KNOWN_YET);
    return held.grow(bodyBytes) === undefined ? held : undefined;
  }

  callerOf(head: HotHead, connection: LaneConnection): Caller | undefined | Promise<Caller | undefined> {
    const { authenticator } = this.#parts;
    const { path, headers, key } = head;
    key.hash ??= authenticator.hash(this.#routes.get(path)?.wire.family.credential(headers));
    // A key that is refused is refused again on the whole way.
    if (key.hash === undefined) return undefined;
    const caller = authenticator.find(key.hash, this.#clientOf(head, connection));
    if (!(caller instanceof Promise)) return caller && this.#replenished(caller);
    return caller.then((known) => known && this.#replenished(known)).catch(() => undefined);
  }

  /** The caller, once this process has asked for its part of ceilings that are shared: otherwise a pause would end the short way. */
  #replenished(caller: Caller): Caller | Promise<Caller | undefined> {
    const { admission, metering } = this.#parts;
    const tokens = metering.budget.replenish(caller);
    const places = admission.replenish?.(caller);
    if (tokens === undefined && places === undefined) return caller;
    // Whoever has nothing left is told so on the whole way.
    return Promise.all([tokens, places]).then(
      () => caller,
      () => undefined,
    );
  }

  serve(request: HotRequest, connection: LaneConnection): LaneExchange | undefined {
    try {
      return this.#serve(request, connection);
    } catch {
      // It goes wrong once more on the whole way, and there somebody is told.
      return undefined;
    }
  }

  #clientOf({ forwardedFor }: HotHead, connection: LaneConnection): string {
    if (forwardedFor === undefined || this.#parts.trustProxy !== true) return connection.client;
    return forwardedFor.split(',', 1)[0]?.trim() ?? '';
  }

  #serve({ head, body, caller }: HotRequest, connection: LaneConnection): LaneExchange | undefined {
    const { admission, callerLimits, metering, journal, drainGate, text } = this.#parts;
    const { path } = head;
    const route = this.#routes.get(path);
    if (route === undefined) return undefined;
    const { family } = route.wire;
    if (!metering.budget.hasLeftNow(caller)) return undefined;
    const id = journal.nextId();
    const wireExchange = route.wire.open(parseBody(body, route), wireContext(caller, id));
    const prepared = text.prepareNow(caller, wireExchange.conversation);
    if (prepared === undefined) return undefined;
    const { engine, conversation, model } = prepared;
    const meter = new RequestMeter(metering, caller, path);
    let exchange: LaneExchange | undefined;
    const answer = engine.push?.(conversation, {
      countFirst: wireExchange.countFirst,
      inOnePiece: !wireExchange.streaming,
      stackId: caller.stack.id,
      meter,
      sink: {
        onEvents: (events) => exchange?.onEvents(events),
        onFailure: (error) => exchange?.onFailure(error),
      },
    });
    const place = answer === undefined ? undefined : admission.admitNow?.(caller);
    if (answer === undefined || place === undefined) return undefined;
    const expected = expectedTokens(caller, conversation);
    if (expected !== undefined) void meter.reserveTokens(expected);
    meter.servedBy(model);
    exchange = new LaneExchange({
      connection,
      client: this.#clientOf(head, connection),
      caller,
      heads: this.#heads,
      journal,
      streamTimes: this.#parts.streamTimes,
      isDraining: () => drainGate.isDraining,
      family,
      entry: journal.open(path, family, id),
      text: wireExchange,
      conversation,
      engine,
      meter,
      rates: callerLimits.hasRates(caller) ? () => callerLimits.rates(caller) : undefined,
    });
    exchange.equip(answer, place);
    return exchange;
  }

  #sweep(): void {
    const nowMs = turnNowMs();
    const { keepAliveMs } = this.#parts.limits;
    for (const connection of [...this.#connections]) {
      connection.sweep(nowMs, { arrivalMs: ARRIVAL_MS, keepAliveMs });
    }
  }
}

function parseBody(bytes: Buffer, { body }: HotTextRoute): unknown {
  const scanned = body.scan?.(bytes);
  if (scanned !== undefined) return scanned;
  // On the whole way it is parsed on another thread.
  if (bytes.length > LARGE_JSON_BYTES) throw new Error('too large to be parsed here');
  return parseJson(bytes, { exactIntegers: false });
}
