import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Caller } from './caller.ts';
import { LimitShare } from './limit-share.ts';
import type { ShareKeeper } from './share-keeper.ts';
import type { Reservation, SettledBudget, TokenBudget } from './token-budget.ts';

const DAY_MS = 86_400_000;
// Granted tokens may be taken by other waiting requests; give up after this many rounds.
const MAX_ASKS = 20;

export interface LeasedTokenBudgetParts {
  readonly keeper: ShareKeeper;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly wallClock: WallClock;
}

/**
 * Token budgets of which this process leases shares. A request is admitted while anything is left, and reserves what it expects:
 * so each process exceeds a budget by at most one request.
 */
export class LeasedTokenBudget implements TokenBudget {
  readonly #keeper: ShareKeeper;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #wallClock: WallClock;
  /** Shares of the current day, by stack. */
  readonly #shares = new Map<string, LimitShare>();
  /** Cache: each request asks several times. */
  #last: { readonly caller: Caller; readonly share: LimitShare } | undefined;
  /** -Infinity, not 0: see limit-share.ts. */
  #dayEndsMs = Number.NEGATIVE_INFINITY;
  #day = '';

  constructor({ keeper, clock, wallClock }: LeasedTokenBudgetParts) {
    this.#keeper = keeper;
    this.#clock = clock;
    this.#wallClock = wallClock;
  }

  reserve(caller: Caller, expectedTokens: number): Reservation | undefined | Promise<Reservation> {
    const share = this.shareOf(caller);
    if (share === undefined) return undefined;
    if (share.left(this.#clock.nowMs()) > 0) return this.#take(share, expectedTokens);
    return this.#askAndTake(caller, expectedTokens);
  }

  /** This process's share of today's budget; undefined if the plan has none. */
  shareOf(caller: Caller): LimitShare | undefined {
    const ceiling = caller.plan.limits.tokensPerDay;
    if (ceiling === null) return undefined;
    this.#turnDay();
    if (this.#last?.caller === caller) return this.#last.share;
    const share = this.#share(caller.stack.id, ceiling);
    this.#last = { caller, share };
    return share;
  }

  /** Time until the budgets reset. */
  get resetsInMs(): number {
    this.#turnDay();
    return this.#dayEndsMs - this.#wallClock.nowMs();
  }

  async #askAndTake(caller: Caller, expectedTokens: number): Promise<Reservation> {
    let share = this.shareOf(caller);
    for (let asks = 0; share !== undefined; asks++) {
      const hasMore = await this.#keeper.grow(share);
      if (share.left(this.#clock.nowMs()) > 0) return this.#take(share, expectedTokens);
      if (!hasMore || asks === MAX_ASKS) throw this.#refusal(share, caller);
      // The day may have changed while waiting.
      share = this.shareOf(caller);
    }
    throw new Error('a budget does not go away while it is asked for');
  }

  #take(share: LimitShare, expectedTokens: number): Reservation {
    // At least one, so that a reservation is never empty.
    const amount = Math.max(1, Math.ceil(expectedTokens));
    share.take(amount, this.#clock.nowMs());
    return new HeldTokens(share, amount);
  }

  #share(stackId: string, ceiling: number): LimitShare {
    const existing = this.#shares.get(stackId);
    if (existing !== undefined) {
      existing.ceiling = ceiling;
      return existing;
    }
    const subject = { kind: 'tokens', stackId, day: this.#day } as const;
    const share = new LimitShare(subject, { ceiling, isLeased: true });
    this.#shares.set(stackId, share);
    return share;
  }

  #turnDay(): void {
    const nowMs = this.#wallClock.nowMs();
    // If the clock is set back across midnight, the current day continues.
    if (nowMs < this.#dayEndsMs) return;
    this.#dayEndsMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    this.#day = new Date(nowMs).toISOString().slice(0, 10);
    for (const share of this.#shares.values()) share.isOver = true;
    this.#shares.clear();
    this.#last = undefined;
  }

  #refusal(share: LimitShare, { plan }: Caller): Fault {
    const used = share.used(this.#clock.nowMs());
    const dayEnds = new Date(this.#dayEndsMs).toISOString().replace('.000', '');
    return new Fault(
      'token-budget-exceeded',
      `This stack has used or reserved ${used} tokens today; its limit is ${share.ceiling} per UTC day (tokens_per_day, plan ${plan.name}). The day ends at ${dayEnds}.`,
    );
  }
}

/** Tokens held until they are settled or released. */
class HeldTokens implements Reservation {
  readonly #share: LimitShare;
  readonly #amount: number;
  #isHeld = true;

  constructor(share: LimitShare, amount: number) {
    this.#share = share;
    this.#amount = amount;
  }

  settle(tokens: number): SettledBudget {
    this.#end(Math.max(0, Math.ceil(tokens)));
    return { day: this.#share.subject.day ?? '', tokens: this.#share.settled };
  }

  release(): void {
    this.#end(0);
  }

  #end(tokens: number): void {
    if (this.#isHeld) this.#share.release(this.#amount, tokens);
    this.#isHeld = false;
  }
}
