import type { Caller } from '../access/caller.ts';
import type { RequestMeter } from '../access/request-meter.ts';
import type { Family } from '../families/family.ts';
import type { Fault } from '../faults/fault.ts';
import { turnNowMs } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RouteMetrics } from '../telemetry/route-tally.ts';
import { isClientGone } from './client-gone.ts';
import type { DrainGate } from './drain-gate.ts';
import type { EngineFailures } from './engine-failures.ts';
import { requestIdMaker } from './request-id.ts';
import type { RequestRing } from './request-ring.ts';

/** Logged when the client left before its answer was complete; never sent. */
export const CLIENT_GONE_STATUS = 499;

export interface RequestJournalParts {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly drainGate: DrainGate;
  readonly ring: RequestRing;
  readonly failures: EngineFailures;
}

interface FailedRequest {
  readonly id: string;
  /** The caller, if it was authenticated. */
  readonly caller: Caller | undefined;
  readonly traceId?: string | undefined;
  readonly family: Family;
}

interface EndedRequest {
  /** Absent if the request had no caller. */
  readonly meter: RequestMeter | undefined;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly firstTokenMs: number | undefined;
  readonly streamed: boolean;
  readonly method: string | undefined;
  readonly client: string;
  /** Whether it is logged; true by default. */
  readonly hasLine?: boolean;
  readonly traceId?: string | undefined;
}

/** Counts, times and logs requests of the fast path and of Node's server. */
export class RequestJournal {
  readonly #nextId = requestIdMaker();
  readonly #parts: RequestJournalParts;
  readonly #routeMetrics = new Map<Family, Map<string, RouteMetrics>>();

  constructor(parts: RequestJournalParts) {
    this.#parts = parts;
  }

  /** Opens the entry of a new request; the label is its path pattern. */
  open(label: string, family: Family): JournalEntry {
    const { log, drainGate, ring } = this.#parts;
    const metrics = this.#metricsOf(label, family);
    drainGate.enter();
    metrics.started();
    return new JournalEntry({ id: this.#nextId(), label, metrics, log, drainGate, ring });
  }

  /** Logs bytes that are no request; returns an id for them. */
  noteUnparsed(fault: Fault, client: string): string {
    const requestId = this.#nextId();
    this.#parts.log.info({ requestId, status: fault.status, client }, 'unparsable request');
    return requestId;
  }

  /** Logs the cause of a failure of the gateway or an engine. */
  noteFailure({ id: requestId, caller, family, traceId }: FailedRequest, error: Fault): void {
    const { status, code, cause } = error;
    if (caller !== undefined) this.#parts.failures.note(caller, family.name, error);
    if (status < 500 || cause === undefined || isClientGone(cause)) return;
    const ids = { requestId, stack: caller?.stack.id, key: caller?.key.id, traceId };
    this.#parts.log.error({ ...ids, fault: code, error: cause }, 'request failed');
  }

  #metricsOf(label: string, family: Family): RouteMetrics {
    const known = this.#routeMetrics.get(family)?.get(label);
    if (known !== undefined) return known;
    const metrics = this.#parts.metrics.forRoute(label, family.name);
    const ofFamily = this.#routeMetrics.get(family) ?? new Map<string, RouteMetrics>();
    this.#routeMetrics.set(family, ofFamily.set(label, metrics));
    return metrics;
  }
}

interface JournalEntryParts extends Pick<RequestJournalParts, 'log' | 'drainGate' | 'ring'> {
  readonly id: string;
  readonly label: string;
  readonly metrics: RouteMetrics;
}

/** One request that is being served. */
export class JournalEntry {
  readonly id: string;
  readonly startedMs = turnNowMs();
  readonly #parts: JournalEntryParts;

  constructor(parts: JournalEntryParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  /** Ends the entry: the answer was sent, or the client left. */
  close(ended: EndedRequest): void {
    const { status, method, client, meter, traceId, hasLine = true } = ended;
    const { label, metrics, log, drainGate } = this.#parts;
    drainGate.leave();
    const durationMs = turnNowMs() - this.startedMs;
    metrics.ended(status, durationMs / 1000);
    if (!hasLine) return;
    const { stack, key } = meter?.caller ?? NOBODY;
    log.request({
      requestId: this.id,
      method,
      route: label,
      status,
      durationMs,
      client,
      stack: stack?.id,
      key: key?.id,
      traceId,
    });
    if (meter !== undefined || isRefusal(status, label)) this.#remember(ended, durationMs);
  }

  #remember({ meter, status, errorCode, firstTokenMs, streamed }: EndedRequest, durationMs: number): void {
    this.#parts.ring.add({
      sequence: 0,
      atMs: 0,
      id: this.id,
      stack: meter?.caller.stack.id,
      key: meter?.caller.key.id,
      endpoint: meter?.endpoint ?? this.#parts.label,
      model: meter?.model,
      status,
      errorCode,
      inputTokens: meter?.promptTokens ?? 0,
      outputTokens: meter?.completionTokens ?? 0,
      firstTokenMs,
      durationMs,
      streamed,
    });
  }
}

const OPERATED = /^\/(?:admin|console)\//;

/** Whether a request without a caller is shown to operators: clients with wrong keys and paths, not the operators themselves. */
function isRefusal(status: number, label: string): boolean {
  return status >= 400 && !OPERATED.test(label);
}

const NOBODY = { stack: undefined, key: undefined };
