import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import { orAborted } from '../lib/or-aborted.ts';
import type { Abortable, Admission, Permit, Place, Work } from './admission.ts';
import type { Caller } from './caller.ts';
import { LimitShare } from './limit-share.ts';
import type { LimitSubject } from './limit-subject.ts';
import type { RequestLimits } from './plan-limits.ts';
import type { ShareKeeper } from './share-keeper.ts';

// What was granted may be taken by others who waited too; after so many times it is refused.
const MAX_ASKS = 20;
const neverLost = new AbortController().signal;
const settled = Promise.resolve();
const freePlace: Place = { giveBack: () => {} };
const freePermit: Permit = { waitedMs: 0, lost: neverLost, [Symbol.asyncDispose]: () => settled };

export interface RequestAdmissionParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Leases parts of the ceilings, where other processes serve the same stacks; absent: all is this process's. */
  readonly keeper?: ShareKeeper;
}

/** Holds `concurrent_requests` and `requests_per_minute` of each stack and each key. */
export class RequestAdmission implements Admission {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #keeper: ShareKeeper | undefined;
  readonly #shares = { places: new Map<string, LimitShare>(), requests: new Map<string, LimitShare>() };

  constructor({ clock, keeper }: RequestAdmissionParts) {
    this.#clock = clock;
    this.#keeper = keeper;
  }

  /** How many ceilings have a request in flight, or had one admitted within the minute that a rate is counted over. */
  get watched(): number {
    const { places, requests } = this.#shares;
    for (const share of [...places.values(), ...requests.values()]) this.#tidy(share);
    return places.size + requests.size;
  }

  admit(caller: Caller, _work: Work, request: Abortable): Permit | Promise<Permit> {
    if (isUnlimited(caller)) return freePermit;
    const { signal } = request;
    signal.throwIfAborted();
    const shares = this.sharesOf(caller);
    const lacking = this.#lacking(shares);
    if (lacking === undefined) return this.#take(shares, signal);
    if (this.#keeper === undefined) throw this.#refusal(lacking, caller);
    return this.#askAndTake(this.#keeper, { caller, shares, signal });
  }

  admitNow(caller: Caller): Place | undefined {
    if (isUnlimited(caller)) return freePlace;
    const shares = this.sharesOf(caller);
    return this.#lacking(shares) === undefined ? this.#hold(shares) : undefined;
  }

  replenish(caller: Caller): Promise<unknown> | undefined {
    const keeper = this.#keeper;
    if (keeper === undefined || isUnlimited(caller)) return undefined;
    const nowMs = this.#clock.nowMs();
    const lacking = this.sharesOf(caller).filter((share) => share.left(nowMs) <= 0);
    return lacking.length === 0 ? undefined : Promise.all(lacking.map((share) => keeper.grow(share)));
  }

  /** The ceilings that hold for the caller: places before rates, the stack before the key. */
  sharesOf({ stack, key, plan }: Caller): readonly LimitShare[] {
    const shares: LimitShare[] = [];
    const add = (kind: 'places' | 'requests', ceiling: number | null, keyId?: string) => {
      if (ceiling !== null) shares.push(this.#share(kind, ceiling, stack.id, keyId));
    };
    add('places', plan.limits.concurrentRequests);
    add('places', key.limits.concurrentRequests, key.id);
    add('requests', plan.limits.requestsPerMinute);
    add('requests', key.limits.requestsPerMinute, key.id);
    return shares;
  }

  async #askAndTake(
    keeper: ShareKeeper,
    { caller, shares, signal }: { caller: Caller; shares: readonly LimitShare[]; signal: AbortSignal },
  ): Promise<Permit> {
    let lacking = this.#lacking(shares);
    for (let asks = 0; lacking !== undefined; asks++) {
      const hasMore = await orAborted(keeper.grow(lacking), signal);
      if (!hasMore || asks === MAX_ASKS) throw this.#refusal(lacking, caller);
      lacking = this.#lacking(shares);
    }
    return this.#take(shares, signal);
  }

  #lacking(shares: readonly LimitShare[]): LimitShare | undefined {
    const nowMs = this.#clock.nowMs();
    return shares.find((share) => share.left(nowMs) <= 0);
  }

  #take(shares: readonly LimitShare[], signal: AbortSignal): Permit {
    const place = this.#hold(shares);
    const release = () => {
      signal.removeEventListener('abort', release);
      place.giveBack();
    };
    signal.addEventListener('abort', release);
    return { waitedMs: 0, lost: neverLost, [Symbol.asyncDispose]: async () => release() };
  }

  /** Takes a part of every share; of those that are places it is given back, once. */
  #hold(shares: readonly LimitShare[]): Place {
    const nowMs = this.#clock.nowMs();
    for (const share of shares) share.take(1, nowMs);
    let isHeld = true;
    return {
      giveBack: () => {
        if (!isHeld) return;
        isHeld = false;
        for (const share of shares) if (share.subject.kind === 'places') this.#giveBack(share);
      },
    };
  }

  #giveBack(share: LimitShare): void {
    share.giveBack(1);
    this.#tidy(share);
  }

  #share(kind: 'places' | 'requests', ceiling: number, stackId: string, keyId?: string): LimitShare {
    const name = nameOf(stackId, keyId);
    const existing = this.#shares[kind].get(name);
    if (existing !== undefined) {
      existing.ceiling = ceiling;
      return existing;
    }
    const subject: LimitSubject = { kind, stackId, ...(keyId !== undefined && { keyId }) };
    const share = new LimitShare(subject, { ceiling, isLeased: this.#keeper !== undefined });
    this.#shares[kind].set(name, share);
    return share;
  }

  #tidy(share: LimitShare): void {
    const { kind, stackId, keyId } = share.subject;
    if (kind === 'tokens' || !share.isEmpty(this.#clock.nowMs())) return;
    this.#shares[kind].delete(nameOf(stackId, keyId));
  }

  #refusal(share: LimitShare, { plan }: Caller): Fault {
    const { subject, ceiling } = share;
    this.#tidy(share);
    const owner = subject.keyId === undefined ? 'This stack' : 'This key';
    if (subject.kind === 'places') {
      const message = `${owner} already has ${ceiling} requests in flight, which is its limit (concurrent_requests, plan ${plan.name}).`;
      return new Fault('too-many-in-flight', message);
    }
    const message = `${owner} sent ${ceiling} requests in the last minute, which is its limit (requests_per_minute, plan ${plan.name}).`;
    const freeInMs = share.freeInMs(this.#clock.nowMs(), 'next');
    return new Fault(
      'rate-limited',
      message,
      freeInMs === undefined ? {} : { retryAfterSeconds: freeInMs / 1000 },
    );
  }
}

function isUnlimited({ plan, key }: Caller): boolean {
  return isFree(plan.limits) && isFree(key.limits);
}

function isFree({ requestsPerMinute, concurrentRequests }: RequestLimits): boolean {
  return requestsPerMinute === null && concurrentRequests === null;
}

function nameOf(stackId: string, keyId: string | undefined): string {
  return keyId === undefined ? stackId : `${stackId}/${keyId}`;
}
