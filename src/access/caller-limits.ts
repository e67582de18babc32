import type { RateStanding, RateStandings } from '../families/rate-headers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';
import type { LeasedMoneyBudget } from './leased-money-budget.ts';
import type { LeasedTokenBudget } from './leased-token-budget.ts';
import type { LimitShare } from './limit-share.ts';
import type { LimitKind, LimitSubject } from './limit-subject.ts';
import type { BudgetScope } from './money-budget.ts';
import type { RequestAdmission } from './request-admission.ts';
import type { ShareBook } from './share-book.ts';

/** Current use of a ceiling. */
export interface LimitStanding {
  readonly kind: LimitKind;
  readonly scope: BudgetScope;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Time until it is fully available; absent if that depends on running requests. */
  readonly resetsInMs?: number;
}

export interface CallerLimitsParts {
  readonly admission: RequestAdmission;
  readonly budget: LeasedTokenBudget;
  readonly money: LeasedMoneyBudget;
  /** For the use of other processes. */
  readonly book: ShareBook;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Reports how much of their ceilings callers have used. */
export class CallerLimits {
  readonly #parts: CallerLimitsParts;

  constructor(parts: CallerLimitsParts) {
    this.#parts = parts;
  }

  /** Whether the caller has a rate; checked for every request. */
  hasRates({ plan, key }: Caller): boolean {
    const { requestsPerMinute, tokensPerDay } = plan.limits;
    return requestsPerMinute !== null || tokensPerDay !== null || key.limits.requestsPerMinute !== null;
  }

  /** The rates as known to this process, without asking others. Of the stack's and the key's, the scarcer one. */
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
    // Before the first request of the day, usage elsewhere is unknown.
    return { requests, tokens: tokens?.isKnown === true ? this.#rateOf(tokens, nowMs) : undefined };
  }

  /** Every ceiling of requests and tokens, across all processes. */
  async standings(caller: Caller): Promise<readonly LimitStanding[]> {
    const { admission, budget, money, book, clock } = this.#parts;
    const tokens = budget.shareOf(caller);
    const shares = [
      ...(tokens === undefined ? [] : [tokens]),
      ...admission.sharesOf(caller),
      ...money.sharesOf(caller).map(({ share }) => share),
    ];
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
      scope: scopeOf(subject),
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
    if (share.subject.kind === 'money') return this.#parts.money.resetsInMs;
    return share.subject.kind === 'requests' ? (share.freeInMs(nowMs, 'all') ?? 0) : undefined;
  }
}

function scopeOf({ stackId, keyId }: LimitSubject): BudgetScope {
  if (keyId !== undefined) return 'key';
  return stackId.startsWith('@') ? 'account' : 'stack';
}
