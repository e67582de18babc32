import { CallerLimits } from '../../src/access/caller-limits.ts';
import { LeasedTokenBudget } from '../../src/access/leased-token-budget.ts';
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
  const admission = new RequestAdmission({ clock });
  return {
    book,
    keeper,
    budget,
    admission,
    callerLimits: new CallerLimits({ admission, budget, book, clock }),
  };
}
