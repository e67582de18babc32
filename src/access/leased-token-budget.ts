import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Caller } from './caller.ts';
import { LimitShare } from './limit-share.ts';
import type { ShareKeeper } from './share-keeper.ts';
import type { Reservation, TokenBudget } from './token-budget.ts';

const DAY_MS = 86_400_000;
// What was granted may be taken by others who waited too; after so many times it is refused.
const MAX_ASKS = 20;

export interface LeasedTokenBudgetParts {
  readonly keeper: ShareKeeper;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly wallClock: WallClock;
}

/**
 * Token budgets of which this process leases parts. A request is admitted while something is left of the part, and
 * reserves what it expects: so each process goes over a budget by one request at most.
 */
export class LeasedTokenBudget implements TokenBudget {
  readonly #keeper: ShareKeeper;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #wallClock: WallClock;
  /** Of this day, by stack. */
  readonly #shares = new Map<string, LimitShare>();
  /** Asked for several times by each request. */
  #last: { readonly caller: Caller; readonly share: LimitShare } | undefined;
  /** Not 0 at first, for the reason that limit-share.ts gives. */
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

  /** What this process has of today's budget; undefined where the caller's plan has none. */
  shareOf(caller: Caller): LimitShare | undefined {
    const ceiling = caller.plan.limits.tokensPerDay;
    if (ceiling === null) return undefined;
    this.#turnDay();
    if (this.#last?.caller === caller) return this.#last.share;
    const share = this.#share(caller.stack.id, ceiling);
    this.#last = { caller, share };
    return share;
  }

  /** Until the budgets begin anew. */
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
      // The day may have ended meanwhile.
      share = this.shareOf(caller);
    }
    throw new Error('a budget does not go away while it is asked for');
  }

  #take(share: LimitShare, expectedTokens: number): Reservation {
    // One at least, so that a reservation is never nothing.
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
    // A clock that is set back over midnight goes on with the day that began.
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

/** Tokens taken of a share until they are settled or released. */
class HeldTokens implements Reservation {
  readonly #share: LimitShare;
  readonly #amount: number;
  #isHeld = true;

  constructor(share: LimitShare, amount: number) {
    this.#share = share;
    this.#amount = amount;
  }

  settle(tokens: number): void {
    this.#end(Math.max(0, Math.ceil(tokens)));
  }

  release(): void {
    this.#end(0);
  }

  #end(tokens: number): void {
    if (this.#isHeld) this.#share.release(this.#amount, tokens);
    this.#isHeld = false;
  }
}
