import type { Admission } from '../access/admission.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerLimits } from '../access/caller-limits.ts';
import { KeyGuard } from '../access/key-guard.ts';
import { type Metering, RequestMeter } from '../access/request-meter.ts';
import { RateHeaders } from '../families/rate-headers.ts';
import { Fault } from '../faults/fault.ts';
import type { IdempotentRequests } from '../idempotency/idempotent-requests.ts';
import { identityOf } from '../idempotency/request-identity.ts';
import { RunningRequest } from '../idempotency/running-request.ts';
import { andThen } from '../lib/and-then.ts';
import { turnNowMs } from '../lib/clock.ts';
import { LoopTurns } from '../supervision/loop-turns.ts';
import type { StackActivity } from '../supervision/stack-activity.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { Answer, Delivery } from './answer.ts';
import { BodyDigest } from './body-digest.ts';
import type { Captures } from './captures.ts';
import type { Exchange, Serving } from './exchange.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { LinkCallers } from './link-callers.ts';
import { RequestView } from './request-view.ts';
import { type CallerRoute, isForReaders } from './route.ts';

export interface RequestPipelineParts {
  readonly authenticator: Authenticator;
  readonly linkCallers: Pick<LinkCallers, 'callerOf'>;
  /** Finds the callers of requests to the playground, by the session of a person. */
  readonly playgroundCallers: Pick<LinkCallers, 'callerOf'>;
  readonly captures: Pick<Captures, 'isActive' | 'open'>;
  readonly admission: Admission;
  readonly callerLimits: Pick<CallerLimits, 'hasRates' | 'rates'>;
  readonly metering: Metering;
  /** Absent: requests are not traced. */
  readonly tracer?: Tracer;
  readonly idempotency: IdempotentRequests;
  /** Told of each request. */
  readonly activity: StackActivity;
}

type Done = void | Promise<void>;

/** Requests of one stack that begin in one turn of the event loop: thousands that arrive at the same moment are a second of work. */
const REQUESTS_PER_TURN = 16;
/** More than there are connections. */
const MAX_WAITING_REQUESTS = 20_000;

/**
 * Serves the requests of all routes that have a caller: authenticate, admit, read, handle, answer. A step that need not wait
 * continues synchronously, so that a request without waits is served in the turn of the event loop in which it arrived.
 */
export class RequestPipeline {
  readonly #parts: RequestPipelineParts;
  readonly #rateHeaders = new RateHeaders();
  readonly #guard = new KeyGuard();
  readonly #turns = new LoopTurns({ piecesPerTurn: REQUESTS_PER_TURN, maxWaiting: MAX_WAITING_REQUESTS });

  constructor(parts: RequestPipelineParts) {
    this.#parts = parts;
  }

  get activity(): StackActivity {
    return this.#parts.activity;
  }

  /** Serves a request; every failure becomes its answer. */
  serve(route: CallerRoute, exchange: Exchange): void {
    const { tracer } = this.#parts;
    if (tracer !== undefined) exchange.trace = traceOf(tracer, route, exchange);
    try {
      const done = andThen(this.#callerOf(route, exchange), (caller) =>
        andThen(this.#turnOf(caller), () => this.#admit(route, exchange, caller)),
      );
      if (done instanceof Promise) done.catch((error: unknown) => exchange.fail(error));
    } catch (error) {
      exchange.fail(error);
    }
  }

  #callerOf({ access, family }: CallerRoute, exchange: Exchange): Caller | Promise<Caller> {
    const { authenticator, linkCallers, playgroundCallers } = this.#parts;
    if (access !== 'key') {
      return (access === 'link' ? linkCallers : playgroundCallers).callerOf(exchange.incoming);
    }
    const { key, headers, address } = exchange.incoming;
    key.hash ??= authenticator.hash(family.credential(headers));
    return authenticator.authenticate(key.hash, address, exchange);
  }

  #turnOf({ stack }: Caller): Promise<void> | undefined {
    this.#parts.activity.note(stack.id, turnNowMs());
    return this.#turns.take(stack.id);
  }

  #admit(route: CallerRoute, exchange: Exchange, caller: Caller): Done {
    const { metering, callerLimits, admission, captures } = this.#parts;
    const meter = new RequestMeter(metering, caller, route.path);
    meter.trace = exchange.trace;
    const rateLines = callerLimits.hasRates(caller)
      ? () => this.#rateHeaders.write(route.family.rateStyle, callerLimits.rates(caller))
      : undefined;
    const captured = captures.isActive
      ? captures.open(route.body, exchange, { caller, endpoint: route.path })
      : undefined;
    const serving: Serving = { caller, meter, rateLines, captured };
    exchange.serve(serving);
    const { restrictions } = caller.key;
    if (restrictions !== undefined) {
      const use = { scope: route.scope, isForReaders: isForReaders(route) };
      this.#guard.check(restrictions, use, exchange.incoming.address);
    }
    if (route.imagePlan === true) requireImagePlan(caller);
    if (route.knowledge !== undefined) requireKnowledge(caller, route.knowledge);
    if (route.admitsItself === true) return this.#read(route, exchange, serving);
    return andThen(admission.admit(caller, exchange), (permit) => {
      exchange.hold(permit);
      return this.#read(route, exchange, serving);
    });
  }

  #read(route: CallerRoute, exchange: Exchange, serving: Serving): Done {
    const name = idempotencyKey(route, exchange.incoming);
    if (name !== undefined) return this.#readOnce(route, exchange, { serving, name });
    const { caller, meter } = serving;
    return andThen(readBody(route, exchange, serving), (body) =>
      handle(route, exchange, { caller, meter, body }),
    );
  }

  /** Runs a request with an Idempotency-Key, or sends the answer that an earlier one got. */
  async #readOnce(
    route: CallerRoute,
    exchange: Exchange,
    { serving, name }: { readonly serving: Serving; readonly name: string },
  ): Promise<void> {
    const { caller, meter } = serving;
    const { method, url, headers } = exchange.incoming;
    const digest = new BodyDigest();
    exchange.digest = digest;
    const body = await readBody(route, exchange, serving);
    const type = route.body.kind === 'form' ? undefined : headers['content-type'];
    const contentHash = digest.finish(method, url, type);
    const whose = { stackId: caller.stack.id, keyId: caller.key.id };
    const identity = identityOf({ ...whose, route: route.path, name, contentHash });
    const begun = await this.#parts.idempotency.begin(identity, exchange.signal);
    if (!(begun instanceof RunningRequest)) {
      exchange.holdMemory(begun.body.length);
      return exchange.replay(begun);
    }
    exchange.record(begun);
    await handle(route, exchange, { caller, meter, body });
  }
}

/** A captured request is noted while its body is read. */
function readBody(route: CallerRoute, exchange: Exchange, { caller, captured }: Serving): unknown {
  const rule = captured === undefined ? route.body : captured.rule;
  if (rule.kind === 'none') return undefined;
  const body = exchange.incoming.body(rule, caller, exchange);
  if (captured === undefined) return body;
  return andThen(body, (read) => {
    captured.noteBody(read);
    return read;
  });
}

function handle(
  route: CallerRoute,
  exchange: Exchange,
  asked: Pick<Serving, 'caller' | 'meter'> & { readonly body: unknown },
): Done {
  return andThen(route.handle(new RequestView(exchange, asked)), (answer) => deliver(answer, exchange));
}

function deliver(answer: Answer | Delivery, exchange: Exchange): void {
  if ('deliver' in answer) answer.deliver(exchange);
  else exchange.send(answer);
}

function traceOf(tracer: Tracer, route: CallerRoute, { incoming }: Exchange): RequestTrace {
  const { traceparent } = incoming.headers;
  return tracer.open(typeof traceparent === 'string' ? traceparent : undefined, route);
}

function requireImagePlan(caller: Caller): void {
  if (caller.stack.imagePlan) return;
  throw new Fault('image-plan-required', 'This key belongs to a stack that is not on the image plan.');
}

function requireKnowledge({ key }: Caller, wanted: 'read' | 'write'): void {
  if (key.knowledge === 'write' || key.knowledge === wanted) return;
  const message = `This needs a key with \`knowledge: ${wanted}\`; this one has ${key.knowledge === undefined ? 'none' : `\`knowledge: ${key.knowledge}\``}.`;
  throw new Fault('knowledge-not-allowed', message);
}
