import type { Admission, Permit } from '../access/admission.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerLimits } from '../access/caller-limits.ts';
import { type Metering, RequestMeter } from '../access/request-meter.ts';
import type { Outcome } from '../access/usage-recorder.ts';
import { modelsFamily } from '../families/chat-family.ts';
import type { Family } from '../families/family.ts';
import { Fault, toFault } from '../faults/fault.ts';
import type { Arrival } from './arrival.ts';
import type { BodyMemory } from './body-memory.ts';
import { type CorsPolicy, setCorsHeaders } from './cors.ts';
import type { DrainGate } from './drain-gate.ts';
import { Exchange, isClientGone } from './exchange.ts';
import type { LargeJson } from './large-json.ts';
import { type BodyReading, type BodyTimeouts, readBody } from './request-body.ts';
import { CLIENT_GONE_STATUS, type RequestJournal } from './request-journal.ts';
import { RequestView } from './request-view.ts';
import type { KeyRoute, OpenRoute, Route } from './route.ts';
import { type StreamTimes, sendEventStream } from './send-event-stream.ts';
import { closeUnlessComplete } from './unread-body.ts';
import type { UploadSpool } from './upload-spool.ts';

const nobody = { caller: undefined, meter: undefined, body: undefined };

export interface RequestHandlerParts {
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly callerLimits: Pick<CallerLimits, 'hasRates' | 'rates'>;
  readonly metering: Metering;
  readonly journal: RequestJournal;
  readonly drainGate: DrainGate;
  readonly cors: CorsPolicy;
  readonly timeouts: BodyTimeouts;
  readonly bodyMemory: BodyMemory;
  readonly spool: UploadSpool;
  readonly largeJson: Pick<LargeJson, 'parse'>;
  readonly streamTimes: StreamTimes;
}

/** The life of a request, the same for every route: counted, known, admitted, read, handled, answered, logged. */
export class RequestHandler {
  readonly #parts: RequestHandlerParts;

  constructor(parts: RequestHandlerParts) {
    this.#parts = parts;
  }

  /** Serves a request of a route. Never rejects. */
  async serve(route: Route, arrival: Arrival): Promise<void> {
    const exchange = this.#open(route.path, route.family, arrival);
    try {
      if (route.access === 'key') await this.#serveKnown(route, exchange, arrival);
      else await this.#serveAnyone(route, exchange, arrival);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** Answers a request that has no route: an unknown path, a wrong method, a URL that cannot be read. */
  refuse(fault: Fault, family: Family, arrival: Arrival): void {
    this.#open('unmatched', family, arrival).fail(fault);
  }

  /** Answers a browser's question whether it may call. */
  answerPreflight(headers: Readonly<Record<string, string>>, arrival: Arrival): void {
    this.#open('preflight', modelsFamily, arrival).send({
      contentType: 'text/plain',
      headers,
      body: '',
    });
  }

  /** Logs bytes that never became a request, and gives them an id. */
  noteUnparsed(fault: Fault, client: string): string {
    return this.#parts.journal.noteUnparsed(fault, client);
  }

  async #serveAnyone(route: OpenRoute, exchange: Exchange, arrival: Arrival): Promise<void> {
    if (!route.whileDraining) this.#parts.drainGate.check(arrival.request.socket);
    exchange.send(await route.handle(new RequestView(exchange, arrival, nobody)));
  }

  async #serveKnown(route: KeyRoute, exchange: Exchange, arrival: Arrival): Promise<void> {
    this.#parts.drainGate.check(arrival.request.socket);
    const credential = route.family.credential(arrival.request.headers);
    const known = this.#parts.authenticator.authenticate(credential, {
      address: arrival.address,
      request: exchange,
    });
    const caller = known instanceof Promise ? await known : known;
    exchange.caller = caller;
    const { callerLimits } = this.#parts;
    if (callerLimits.hasRates(caller)) exchange.tellRates(() => callerLimits.rates(caller));
    const meter = new RequestMeter(this.#parts.metering, caller, route.path);
    const { timeouts, spool, bodyMemory, largeJson } = this.#parts;
    using memory = bodyMemory.open(caller.stack.id);
    const parseApart: BodyReading['parseApart'] = (bytes, options) => {
      const format = route.body.kind === 'json' ? route.body.formatApart?.(caller) : undefined;
      const work = { stackId: caller.stack.id, signal: exchange.signal, memory };
      return largeJson.parse(bytes, { ...options, format }, work);
    };
    let permit: Permit | undefined;
    let failure: unknown;
    try {
      if (route.imagePlan === true) requireImagePlan(caller);
      if (route.knowledge !== undefined) requireKnowledge(caller, route.knowledge);
      const admitted = this.#parts.admission.admit(caller, 'request', exchange);
      // Most waits are none; skipping them saves a tenth of a small request.
      permit = admitted instanceof Promise ? await admitted : admitted;
      const body =
        route.body.kind === 'none'
          ? undefined
          : await readBody(exchange, route.body, { plan: caller.plan, timeouts, spool, memory, parseApart });
      const handled = route.handle(new RequestView(exchange, arrival, { caller, meter, body }));
      const answer = handled instanceof Promise ? await handled : handled;
      if ('stream' in answer) {
        for (const name in answer.headers) exchange.response.setHeader(name, answer.headers[name] ?? '');
        failure = await sendEventStream(exchange, answer.stream, this.#parts.streamTimes);
        if (failure !== undefined) this.#parts.journal.noteFailure(exchange, failure);
      } else exchange.send(answer);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      meter.close(outcomeOf(exchange, failure), performance.now() - exchange.startedMs);
      await permit?.[Symbol.asyncDispose]();
    }
  }

  #open(label: string, family: Family, { request, response, address }: Arrival): Exchange {
    const { journal, drainGate, cors, timeouts } = this.#parts;
    const entry = journal.open(label, family);
    const exchange = new Exchange(entry, family, request, response);
    if (drainGate.isDraining) response.setHeader('connection', 'close');
    setCorsHeaders(cors, request, response);
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE_STATUS;
      const { caller, hasLogLine: hasLine } = exchange;
      entry.close({ status, method: request.method, client: address, caller, hasLine });
      closeUnlessComplete(request, timeouts.lingerMs);
    });
    return exchange;
  }

  #fail(exchange: Exchange, error: unknown): void {
    if (isClientGone(error)) return;
    this.#parts.journal.noteFailure(exchange, error);
    // A line tells how many there were, when the minute is over.
    exchange.hasLogLine = toFault(error).code !== 'too-many-wrong-keys';
    exchange.fail(error);
  }
}

function requireImagePlan(caller: Caller): void {
  if (caller.stack.imagePlan) return;
  throw new Fault('image-plan-required', 'This key belongs to a stack that is not on the image plan.');
}

function outcomeOf(exchange: Exchange, failure: unknown): Outcome {
  if (exchange.isLeft || isClientGone(failure)) return 'gone';
  return outcomeOfStatus(failure === undefined ? exchange.response.statusCode : toFault(failure).status);
}

/** What a status that was sent means for the usage. */
export function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'ok';
  if (status === 429) return 'limit';
  return status < 500 ? 'client' : 'server';
}

function requireKnowledge({ key }: Caller, wanted: 'read' | 'write'): void {
  if (key.knowledge === 'write' || key.knowledge === wanted) return;
  const message = `This needs a key with \`knowledge: ${wanted}\`; this one has ${key.knowledge === undefined ? 'none' : `\`knowledge: ${key.knowledge}\``}.`;
  throw new Fault('knowledge-not-allowed', message);
}
