import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Caller } from './caller.ts';
import { LimitShare } from './limit-share.ts';
import type { BudgetScope, CallerBudget, HeldMoney, MoneyBudget, SettledMoney } from './money-budget.ts';
import { MICROS_PER_UNIT, type PriceList } from './price-list.ts';
import type { ShareKeeper } from './share-keeper.ts';

// Granted money may be taken by other waiting requests; give up after this many rounds.
const MAX_ASKS = 20;

export interface LeasedMoneyBudgetParts {
  readonly keeper: ShareKeeper;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly wallClock: WallClock;
  readonly prices: Pick<PriceList, 'currency'>;
}

/** This process's share of one budget, and the part of a millionth that is not settled yet. */
export interface MoneyShare {
  readonly scope: BudgetScope;
  readonly share: LimitShare;
  rest: number;
}

/**
 * Budgets of money, of which this process leases shares. A request is admitted while anything is left of each, and reserves what
 * it may cost: so each process exceeds a budget by at most one request.
 */
export class LeasedMoneyBudget implements MoneyBudget {
  readonly #parts: LeasedMoneyBudgetParts;
  /** Shares of the current month, by their subjects. */
  readonly #shares = new Map<string, MoneyShare>();
  /** -Infinity, not 0: see limit-share.ts. */
  #monthEndsMs = Number.NEGATIVE_INFINITY;
  #month = '';

  constructor(parts: LeasedMoneyBudgetParts) {
    this.#parts = parts;
  }

  reserve(caller: Caller, expectedMicros: number): HeldMoney | undefined | Promise<HeldMoney> {
    const shares = this.sharesOf(caller);
    if (shares.length === 0) return undefined;
    if (this.#lackingOf(shares) === undefined) return this.#take(shares, expectedMicros);
    return this.#askAndTake(caller, expectedMicros);
  }

  /** The caller's budgets of this month. */
  sharesOf(caller: Caller): readonly MoneyShare[] {
    if (caller.budgets === undefined) return [];
    this.#turnMonth();
    return caller.budgets.map((budget) => this.#share(budget, caller));
  }

  /** Time until the budgets reset. */
  get resetsInMs(): number {
    this.#turnMonth();
    return this.#monthEndsMs - this.#parts.wallClock.nowMs();
  }

  async #askAndTake(caller: Caller, expectedMicros: number): Promise<HeldMoney> {
    let shares = this.sharesOf(caller);
    for (let asks = 0; ; asks++) {
      const lacking = this.#lackingOf(shares);
      if (lacking === undefined) return this.#take(shares, expectedMicros);
      const hasMore = await this.#parts.keeper.grow(lacking.share);
      if (!hasMore || asks === MAX_ASKS) throw this.#refusal(lacking);
      // The month may have changed while waiting.
      shares = this.sharesOf(caller);
    }
  }

  #lackingOf(shares: readonly MoneyShare[]): MoneyShare | undefined {
    const nowMs = this.#parts.clock.nowMs();
    return shares.find(({ share }) => share.left(nowMs) <= 0);
  }

  #take(shares: readonly MoneyShare[], expectedMicros: number): HeldMoney {
    // At least one, so that a reservation is never empty.
    const amount = Math.max(1, Math.ceil(expectedMicros));
    const nowMs = this.#parts.clock.nowMs();
    for (const { share } of shares) share.take(amount, nowMs);
    return new ReservedMoney(shares, amount);
  }

  #share({ scope, hardMicros }: CallerBudget, { stack, key }: Caller): MoneyShare {
    // No stack's id has such a character, so an account has a ceiling beside those of its stacks.
    const stackId = scope === 'account' ? `@${stack.account}` : stack.id;
    const keyId = scope === 'key' ? key.id : undefined;
    const name = `${stackId}/${keyId ?? ''}`;
    const existing = this.#shares.get(name);
    if (existing !== undefined) {
      existing.share.ceiling = hardMicros;
      return existing;
    }
    const subject = {
      kind: 'money',
      stackId,
      day: this.#month,
      ...(keyId !== undefined && { keyId }),
    } as const;
    const share = { scope, share: new LimitShare(subject, { ceiling: hardMicros, isLeased: true }), rest: 0 };
    this.#shares.set(name, share);
    return share;
  }

  #turnMonth(): void {
    const nowMs = this.#parts.wallClock.nowMs();
    // If the clock is set back across the end of a month, the current month continues.
    if (nowMs < this.#monthEndsMs) return;
    const now = new Date(nowMs);
    this.#monthEndsMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    this.#month = `${now.toISOString().slice(0, 7)}-01`;
    for (const { share } of this.#shares.values()) share.isOver = true;
    this.#shares.clear();
  }

  #refusal({ scope, share }: MoneyShare): Fault {
    const owner = { account: 'The account of this stack', stack: 'This stack', key: 'This key' }[scope];
    const limit = `${share.ceiling / MICROS_PER_UNIT} ${this.#parts.prices.currency}`.trimEnd();
    const monthEnds = new Date(this.#monthEndsMs).toISOString().replace('.000', '');
    return new Fault(
      'budget-exceeded',
      `${owner} has spent or reserved its ${limit} of this month (budget). The month ends at ${monthEnds}.`,
    );
  }
}

/** Money held of several budgets until it is settled or released. */
class ReservedMoney implements HeldMoney {
  readonly #shares: readonly MoneyShare[];
  readonly #amount: number;
  #isHeld = true;

  constructor(shares: readonly MoneyShare[], amount: number) {
    this.#shares = shares;
    this.#amount = amount;
  }

  settle(micros: number): readonly SettledMoney[] {
    this.#end(micros);
    return this.#shares.map(({ share }) => ({ subject: share.subject, micros: share.settled }));
  }

  release(): void {
    this.#end(0);
  }

  #end(micros: number): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    for (const held of this.#shares) {
      const whole = Math.floor(held.rest + micros);
      held.rest += micros - whole;
      held.share.release(this.#amount, whole);
    }
  }
}
