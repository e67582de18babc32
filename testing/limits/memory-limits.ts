import { CallerLimits } from '../../src/access/caller-limits.ts';
import { LeasedMoneyBudget } from '../../src/access/leased-money-budget.ts';
import { LeasedTokenBudget } from '../../src/access/leased-token-budget.ts';
import { PriceList } from '../../src/access/price-list.ts';
import { RequestAdmission } from '../../src/access/request-admission.ts';
import { ShareKeeper } from '../../src/access/share-keeper.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { wallClock } from '../../src/lib/wall-clock.ts';
import { MemoryShareBook } from './memory-share-book.ts';

/** All parts of the limits, without a database. */
export function memoryLimits() {
  const clock = systemClock;
  const book = new MemoryShareBook();
  const keeper = new ShareKeeper({ book, clock });
  const budget = new LeasedTokenBudget({ keeper, clock, wallClock });
  const prices = new PriceList();
  const money = new LeasedMoneyBudget({ keeper, clock, wallClock, prices });
  const admission = new RequestAdmission({ clock });
  return {
    book,
    keeper,
    budget,
    money,
    prices,
    admission,
    callerLimits: new CallerLimits({ admission, budget, money, book, clock }),
  };
}
