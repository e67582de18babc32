import type { RateStanding, RateStandings } from '../families/rate-headers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';
import type { LeasedTokenBudget } from './leased-token-budget.ts';
import type { LimitShare } from './limit-share.ts';
import type { LimitKind } from './limit-subject.ts';
import type { RequestAdmission } from './request-admission.ts';
import type { ShareBook } from './share-book.ts';

/** How much of a ceiling is used at the moment. */
export interface LimitStanding {
  readonly kind: LimitKind;
  readonly scope: 'stack' | 'key';
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Until all of it is there again; absent where that depends on requests that are served. */
  readonly resetsInMs?: number;
}

export interface CallerLimitsParts {
  readonly admission: RequestAdmission;
  readonly budget: LeasedTokenBudget;
  /** Where other processes' use is read. */
  readonly book: ShareBook;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Tells callers how they stand with their ceilings. */
export class CallerLimits {
  readonly #parts: CallerLimitsParts;

  constructor(parts: CallerLimitsParts) {
    this.#parts = parts;
  }

  /** Whether there is a rate to tell of; asked at every request. */
  hasRates({ plan, key }: Caller): boolean {
    const { requestsPerMinute, tokensPerDay } = plan.limits;
    return requestsPerMinute !== null || tokensPerDay !== null || key.limits.requestsPerMinute !== null;
  }

  /** The rates as this process knows them, without asking anybody. Of the stack's and the key's the scarcer one counts. */
  rates(caller: Caller): RateStandings {
    const { admission, budget, clock } = this.#parts;
    const nowMs = clock.nowMs();
    let requests: RateStanding | undefined;
    for (const share of admission.sharesOf(caller)) {
      if (share.subject.kind !== 'requests') continue;
      const rate = this.#rateOf(share, nowMs);
      if (requests === undefined || rate.remaining < requests.remaining) requests = rate;
    }
    const tokens = budget.shareOf(caller);
    // Before the first request of the day nobody has asked how much is used.
    return { requests, tokens: tokens?.isKnown === true ? this.#rateOf(tokens, nowMs) : undefined };
  }

  /** Every ceiling of requests and tokens, over all processes. */
  async standings(caller: Caller): Promise<readonly LimitStanding[]> {
    const { admission, budget, book, clock } = this.#parts;
    const tokens = budget.shareOf(caller);
    const shares = [...(tokens === undefined ? [] : [tokens]), ...admission.sharesOf(caller)];
    const shared = shares.filter(({ isLeased }) => isLeased);
    const others = shared.length === 0 ? [] : await book.usedByOthers(shared.map(({ subject }) => subject));
    const byOthers = new Map(shared.map((share, index) => [share, others[index] ?? 0]));
    const nowMs = clock.nowMs();
    return shares.map((share) =>
      this.#standing(share, share.usedHere(nowMs) + (byOthers.get(share) ?? 0), nowMs),
    );
  }

  #standing(share: LimitShare, used: number, nowMs: number): LimitStanding {
    const { subject, ceiling } = share;
    const resetsInMs = this.#resetsInMs(share, nowMs);
    return {
      kind: subject.kind,
      scope: subject.keyId === undefined ? 'stack' : 'key',
      limit: ceiling,
      used,
      remaining: Math.max(0, ceiling - used),
      ...(resetsInMs !== undefined && { resetsInMs }),
    };
  }

  #rateOf(share: LimitShare, nowMs: number): RateStanding {
    const { ceiling } = share;
    const remaining = Math.max(0, ceiling - share.used(nowMs));
    return { limit: ceiling, remaining, resetsInMs: this.#resetsInMs(share, nowMs) ?? 0 };
  }

  #resetsInMs(share: LimitShare, nowMs: number): number | undefined {
    if (share.subject.kind === 'tokens') return this.#parts.budget.resetsInMs;
    return share.subject.kind === 'requests' ? (share.freeInMs(nowMs, 'all') ?? 0) : undefined;
  }
}
