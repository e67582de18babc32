import type { WallClock } from '../../lib/wall-clock.ts';
import type { SqlUsage, UsageSumsGroup } from '../../store/sql-usage.ts';
import { type DayRange, dayRange } from '../../usage/usage-days.ts';
import { noUsage } from '../../usage/usage-sums.ts';
import { usageSums } from './usage-sums.ts';

const DAY_MS = 86_400_000;
/** The days of an overview. */
export const OVERVIEW_DAYS = 30;
/** Days that are over change only by what was written late. */
const KEEP_MS = 300_000;
const MAX_KEPT = 100;

interface KeptDays {
  readonly range: DayRange;
  readonly sinceMs: number;
  readonly groups: readonly UsageSumsGroup[];
}

/** Sums of the last days, of which only today's are read each time: an overview is asked for again and again. */
export class DaySums {
  readonly #usage: Pick<SqlUsage, 'readSums'>;
  readonly #clock: WallClock;
  readonly #kept = new Map<string, KeptDays>();

  constructor(usage: Pick<SqlUsage, 'readSums'>, clock: WallClock) {
    this.#usage = usage;
    this.#clock = clock;
  }

  /** One entry for each day, also for those without a request; of one stack or all. */
  async read(stack: string | undefined) {
    const { since, until } = dayRange({}, this.#clock.nowMs());
    const before = { since, until: shifted(until, -1) };
    const groups = [
      ...(await this.#closedDays(before, stack)),
      ...(await this.#sums({ since: until, until }, stack)),
    ];
    const byDay = new Map(groups.map((group) => [group.day, group]));
    return Array.from({ length: OVERVIEW_DAYS }, (_, index) => {
      const day = shifted(since, index);
      return { day, ...usageSums(byDay.get(day) ?? noUsage) };
    });
  }

  async #closedDays(range: DayRange, stack: string | undefined): Promise<readonly UsageSumsGroup[]> {
    const name = stack ?? '';
    const nowMs = this.#clock.nowMs();
    const kept = this.#kept.get(name);
    const ageMs = kept === undefined ? KEEP_MS : nowMs - kept.sinceMs;
    if (kept?.range.until === range.until && ageMs >= 0 && ageMs < KEEP_MS) return kept.groups;
    const groups = await this.#sums(range, stack);
    this.#kept.delete(name);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= MAX_KEPT && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(name, { range, sinceMs: nowMs, groups });
    return groups;
  }

  async #sums(range: DayRange, stack: string | undefined): Promise<readonly UsageSumsGroup[]> {
    const asked = { by: ['day'], ...range, limit: OVERVIEW_DAYS } as const;
    return (await this.#usage.readSums({ ...asked, ...(stack !== undefined && { stack }) })).groups;
  }
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
