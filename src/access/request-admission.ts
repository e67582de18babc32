import { Fault } from '../faults/fault.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Abortable, Admission, Permit, Work } from './admission.ts';
import type { Caller } from './caller.ts';

const WINDOW_MS = 60_000;
const neverLost = new AbortController().signal;
const settled = Promise.resolve();
const freePermit: Permit = { waitedMs: 0, lost: neverLost, [Symbol.asyncDispose]: () => settled };

/** What one stack has going on in this process. */
interface StackTraffic {
  inFlight: number;
  /** Start times within the last minute, oldest first; never more than the ceiling. */
  starts: number[];
}

/** Holds `concurrent_requests` and `requests_per_minute` of each stack, within this process. */
export class RequestAdmission implements Admission {
  readonly #clock: WallClock;
  readonly #traffic = new Map<string, StackTraffic>();

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  /** How many stacks have a request in flight, or had one admitted within the minute that a rate is counted over. */
  get watchedStacks(): number {
    for (const [stackId, traffic] of this.#traffic) this.#tidy(stackId, traffic);
    return this.#traffic.size;
  }

  admit(caller: Caller, _work: Work, request: Abortable): Permit {
    const { concurrentRequests, requestsPerMinute } = caller.plan.limits;
    if (concurrentRequests === null && requestsPerMinute === null) return freePermit;
    const { signal } = request;
    signal.throwIfAborted();
    const traffic = this.#trafficOf(caller.stack.id);
    try {
      this.#checkInFlight(traffic, caller);
      this.#checkRate(traffic, caller);
    } catch (fault) {
      this.#tidy(caller.stack.id, traffic);
      throw fault;
    }
    traffic.inFlight++;
    if (requestsPerMinute !== null) traffic.starts.push(this.#clock.nowMs());
    return this.#permit(caller.stack.id, traffic, signal);
  }

  #permit(stackId: string, traffic: StackTraffic, signal: AbortSignal): Permit {
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      signal.removeEventListener('abort', release);
      traffic.inFlight--;
      this.#tidy(stackId, traffic);
    };
    signal.addEventListener('abort', release);
    return { waitedMs: 0, lost: neverLost, [Symbol.asyncDispose]: async () => release() };
  }

  #checkInFlight(traffic: StackTraffic, caller: Caller): void {
    const ceiling = caller.plan.limits.concurrentRequests;
    if (ceiling === null || traffic.inFlight < ceiling) return;
    throw new Fault(
      'too-many-in-flight',
      `This stack already has ${traffic.inFlight} requests in flight; its limit is ${ceiling} (plan ${caller.plan.name}).`,
    );
  }

  #checkRate(traffic: StackTraffic, caller: Caller): void {
    const ceiling = caller.plan.limits.requestsPerMinute;
    if (ceiling === null) return;
    this.#dropOldStarts(traffic);
    if (traffic.starts.length < ceiling) return;
    const nowMs = this.#clock.nowMs();
    const [oldestMs = nowMs] = traffic.starts;
    throw new Fault(
      'rate-limited',
      `This stack sent ${traffic.starts.length} requests in the last minute; its limit is ${ceiling} (plan ${caller.plan.name}).`,
      { retryAfterSeconds: (oldestMs + WINDOW_MS - nowMs) / 1000 },
    );
  }

  #trafficOf(stackId: string): StackTraffic {
    const existing = this.#traffic.get(stackId);
    if (existing !== undefined) return existing;
    const traffic: StackTraffic = { inFlight: 0, starts: [] };
    this.#traffic.set(stackId, traffic);
    return traffic;
  }

  #dropOldStarts(traffic: StackTraffic): void {
    const nowMs = this.#clock.nowMs();
    // A start in the future comes from before the clock was set back; it would count for as long as that was.
    const fresh = traffic.starts.findIndex((start) => start > nowMs - WINDOW_MS && start <= nowMs);
    traffic.starts.splice(0, fresh === -1 ? traffic.starts.length : fresh);
  }

  #tidy(stackId: string, traffic: StackTraffic): void {
    this.#dropOldStarts(traffic);
    if (traffic.inFlight === 0 && traffic.starts.length === 0) this.#traffic.delete(stackId);
  }
}
