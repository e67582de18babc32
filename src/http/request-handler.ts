import { modelsFamily } from '../families/chat-family.ts';
import type { Family } from '../families/family.ts';
import { Fault } from '../faults/fault.ts';
import { systemClock } from '../lib/clock.ts';
import { FairQueue } from '../supervision/fair-queue.ts';
import type { Answer, Delivery } from './answer.ts';
import { BodyTurns } from './body-turns.ts';
import { type CorsPolicy, setCorsHeaders } from './cors.ts';
import type { DrainGate } from './drain-gate.ts';
import { Exchange } from './exchange.ts';
import { type Arrival, type BodyParts, NodeIncoming } from './node-incoming.ts';
import { NodeOutlet } from './node-outlet.ts';
import type { RequestJournal } from './request-journal.ts';
import type { RequestPipeline } from './request-pipeline.ts';
import { RequestView } from './request-view.ts';
import type { OperatorRoute, Route, VisitorRequest, VisitorRoute } from './route.ts';

/** Requests of operators at a time; the other connections to the database are for callers. */
const OPERATORS_AT_A_TIME = 4;
/** Of one operator, while others wait. */
const PER_OPERATOR_AT_A_TIME = 2;
const MAX_WAITING_OPERATORS = 256;
/** Requests of one operator that may wait for their turn. */
export const MAX_WAITING_PER_OPERATOR = 32;
const NO_CALLER = { caller: undefined, meter: undefined, body: undefined };

export interface RequestHandlerParts extends BodyParts {
  readonly pipeline: RequestPipeline;
  readonly journal: RequestJournal;
  readonly drainGate: DrainGate;
  readonly cors: CorsPolicy;
}

/** Serves the requests of Node's server. */
export class RequestHandler {
  readonly #parts: RequestHandlerParts;
  readonly #operators = new FairQueue({
    capacity: OPERATORS_AT_A_TIME,
    runningPerStack: PER_OPERATOR_AT_A_TIME,
    maxWaiting: MAX_WAITING_OPERATORS,
    maxWaitingPerStack: MAX_WAITING_PER_OPERATOR,
    refusal: tooManyWaiting,
  });

  readonly #turns: BodyTurns;

  constructor(parts: RequestHandlerParts) {
    this.#parts = parts;
    this.#turns = new BodyTurns({ clock: systemClock, activity: parts.pipeline.activity });
  }

  /** Serves a request of a route. */
  serve(route: Route, arrival: Arrival): void {
    const { drainGate, pipeline } = this.#parts;
    const exchange = this.#open(route.path, route.family, arrival);
    try {
      if (route.access !== 'open' || !route.whileDraining) drainGate.check(arrival.request.socket);
    } catch (error) {
      exchange.fail(error);
      return;
    }
    switch (route.access) {
      case 'open':
        void serving(exchange, () => route.handle(new RequestView(exchange, NO_CALLER)));
        break;
      case 'visitor':
        void serving(exchange, async () => route.handle(await visitorRequest(route, exchange)));
        break;
      case 'operator':
        void serving(exchange, () => this.#serveOperator(route, exchange));
        break;
      default:
        pipeline.serve(route, exchange);
    }
  }

  /** Answers a request that has no route: an unknown path, a wrong method, a URL that cannot be read. */
  refuse(fault: Fault, family: Family, arrival: Arrival): void {
    this.#open('unmatched', family, arrival).fail(fault);
  }

  /** Answers a CORS preflight. */
  answerPreflight(headers: Readonly<Record<string, string>>, arrival: Arrival): void {
    this.#open('preflight', modelsFamily, arrival).send({ contentType: 'text/plain', headers, body: '' });
  }

  /** Operators take turns, and a stream has its turn until it begins. */
  async #serveOperator(route: OperatorRoute, exchange: Exchange): Promise<Answer | Delivery> {
    const operator = await route.door.operatorOf(exchange.incoming, exchange);
    if (route.right === 'write' && operator.role === 'read-only') {
      throw new Fault('operator-refused', `"${operator.name}" is read-only: it may look and change nothing.`);
    }
    const request = { ...(await visitorRequest(route, exchange)), operator };
    const turn = `${operator.door}:${operator.name}`;
    return await this.#operators.run(turn, exchange.signal, () => route.handle(request));
  }

  #open(label: string, family: Family, arrival: Arrival): Exchange {
    const { journal, drainGate, cors, timeouts } = this.#parts;
    const { request, response } = arrival;
    if (drainGate.isDraining) response.setHeader('connection', 'close');
    setCorsHeaders(cors, request, response);
    return new Exchange({
      incoming: new NodeIncoming(arrival, { ...this.#parts, turns: this.#turns }),
      outlet: new NodeOutlet(request, response, { lingerMs: timeouts.lingerMs, turns: this.#turns }),
      family,
      entry: journal.open(label, family),
      journal,
    });
  }
}

/** Sends the answer; every failure becomes one. */
async function serving(
  exchange: Exchange,
  work: () => Answer | Delivery | Promise<Answer | Delivery>,
): Promise<void> {
  try {
    const answer = await work();
    if ('deliver' in answer) answer.deliver(exchange);
    else exchange.send(answer);
  } catch (error) {
    exchange.fail(error);
  }
}

async function visitorRequest(
  { body: rule }: OperatorRoute | VisitorRoute,
  exchange: Exchange,
): Promise<VisitorRequest> {
  const { incoming, signal } = exchange;
  const body = rule.kind === 'none' ? undefined : await incoming.body(rule, undefined, exchange);
  const view = new RequestView(exchange, NO_CALLER);
  const { requestId, params, query } = view;
  const { address } = incoming;
  return { requestId, params, query, address, signal, body, header: (name) => view.header(name) };
}

function tooManyWaiting(): Fault {
  const message =
    'Too many requests of operators are waiting for their turn. Wait for answers before sending more.';
  return new Fault('too-many-operator-requests', message);
}
