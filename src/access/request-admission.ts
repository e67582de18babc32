import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import { orAborted } from '../lib/or-aborted.ts';
import type { Abortable, Admission, Permit } from './admission.ts';
import type { Caller } from './caller.ts';
import { LimitShare } from './limit-share.ts';
import type { LimitSubject } from './limit-subject.ts';
import type { RequestLimits } from './plan-limits.ts';
import type { ShareKeeper } from './share-keeper.ts';

// Other waiting requests may take the granted part; give up after this many rounds.
const MAX_ASKS = 20;
/** Unused ceilings to keep: most are needed again. */
const KEPT_CEILINGS = 1_000;
const freePermit: Permit = { release: () => {} };

export interface RequestAdmissionParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Leases shares if other processes serve the same stacks; absent: everything belongs to this process. */
  readonly keeper?: ShareKeeper;
}

/** Enforces `concurrent_requests` and `requests_per_minute` of each stack and key. */
export class RequestAdmission implements Admission {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #keeper: ShareKeeper | undefined;
  readonly #shares = { places: new Map<string, LimitShare>(), requests: new Map<string, LimitShare>() };
  /** Cached by caller, which is the same object for many requests. */
  #sharesByCaller = new WeakMap<Caller, readonly LimitShare[]>();
  /** Cache: a request asks three times, and the same caller often comes several times in a row. */
  #last: { readonly caller: Caller; readonly shares: readonly LimitShare[] } | undefined;
  /** The number of ceilings at which unused ones are dropped. */
  #tidiesAt = KEPT_CEILINGS;

  constructor({ clock, keeper }: RequestAdmissionParts) {
    this.#clock = clock;
    this.#keeper = keeper;
  }

  /** Ceilings with a request in flight or within the last minute. */
  get watched(): number {
    this.#tidy();
    return this.kept;
  }

  /** Ceilings in memory, used or not. */
  get kept(): number {
    return this.#shares.places.size + this.#shares.requests.size;
  }

  admit(caller: Caller, request: Abortable): Permit | Promise<Permit> {
    if (isUnlimited(caller)) return freePermit;
    const shares = this.sharesOf(caller);
    const nowMs = this.#clock.nowMs();
    const lacking = lackingOf(shares, nowMs);
    if (lacking === undefined) return this.#hold(shares, nowMs);
    if (this.#keeper === undefined) throw this.#refusal(lacking, caller);
    return this.#askAndTake(this.#keeper, caller, request.signal);
  }

  /** The caller's ceilings: concurrency before rates, the stack before the key. */
  sharesOf(caller: Caller): readonly LimitShare[] {
    if (this.#last?.caller === caller) return this.#last.shares;
    const shares = this.#sharesByCaller.get(caller) ?? this.#findShares(caller);
    this.#last = { caller, shares };
    return shares;
  }

  #findShares(caller: Caller): readonly LimitShare[] {
    if (this.kept >= this.#tidiesAt) {
      this.#tidy();
      this.#tidiesAt = Math.max(KEPT_CEILINGS, 2 * this.kept);
    }
    const { stack, key, plan } = caller;
    const shares: LimitShare[] = [];
    const add = (kind: 'places' | 'requests', ceiling: number | null, keyId?: string) => {
      if (ceiling !== null) shares.push(this.#share(kind, ceiling, stack.id, keyId));
    };
    add('places', plan.limits.concurrentRequests);
    add('places', key.limits.concurrentRequests, key.id);
    add('requests', plan.limits.requestsPerMinute);
    add('requests', key.limits.requestsPerMinute, key.id);
    this.#sharesByCaller.set(caller, shares);
    return shares;
  }

  /** Looks its ceilings up again after each wait: unused ones may have been dropped. */
  async #askAndTake(keeper: ShareKeeper, caller: Caller, signal: AbortSignal): Promise<Permit> {
    let lacking = lackingOf(this.sharesOf(caller), this.#clock.nowMs());
    for (let asks = 0; lacking !== undefined; asks++) {
      const hasMore = await orAborted(keeper.grow(lacking), signal);
      if (!hasMore || asks === MAX_ASKS) throw this.#refusal(lacking, caller);
      lacking = lackingOf(this.sharesOf(caller), this.#clock.nowMs());
    }
    return this.#hold(this.sharesOf(caller), this.#clock.nowMs());
  }

  /** Takes one from every share. */
  #hold(shares: readonly LimitShare[], nowMs: number): Permit {
    for (const share of shares) share.take(1, nowMs);
    return new HeldPermit(shares);
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

  /** Drops unused ceilings. */
  #tidy(): void {
    const nowMs = this.#clock.nowMs();
    for (const shares of Object.values(this.#shares))
      for (const [name, share] of shares) if (share.isEmpty(nowMs)) shares.delete(name);
    this.#sharesByCaller = new WeakMap();
    this.#last = undefined;
  }

  #refusal(share: LimitShare, { plan }: Caller): Fault {
    const { subject, ceiling } = share;
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

/** One of every share of a caller; releasing returns the concurrency, rates expire by themselves. */
class HeldPermit implements Permit {
  readonly #shares: readonly LimitShare[];
  #isHeld = true;

  constructor(shares: readonly LimitShare[]) {
    this.#shares = shares;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    for (const share of this.#shares) if (share.subject.kind === 'places') share.release(1);
  }
}

function lackingOf(shares: readonly LimitShare[], nowMs: number): LimitShare | undefined {
  for (const share of shares) if (share.left(nowMs) <= 0) return share;
  return undefined;
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
