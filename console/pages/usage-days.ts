const DAY_MS = 86_400_000;
const MOST_DAYS = 1000;

/** The last days up to today, in UTC. */
export function lastDays(count: number, now: Date): { readonly since: string; readonly until: string } {
  return { since: dateOf(now.getTime() - (count - 1) * DAY_MS), until: dateOf(now.getTime()) };
}

/** Every day from the first to the last, so that a chart has a place for days without use. */
export function daysBetween(since: string, until: string): readonly string[] {
  const first = Date.parse(since);
  const last = Date.parse(until);
  if (Number.isNaN(first) || Number.isNaN(last) || last < first) return [];
  const count = Math.min(MOST_DAYS, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day) => dateOf(first + day * DAY_MS));
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
