const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** The accepted forms of a day, for messages. */
export const DAY_FORM = 'a date such as 2026-01-31, or an RFC 3339 time such as 2026-01-31T12:00:00Z';
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i;

/** The first and last day, as dates. */
export interface DayRange {
  readonly since: string;
  readonly until: string;
}

/** The UTC day of a date or time; undefined if it is neither. */
export function usageDay(text: string): string | undefined {
  const moment = new Date(text);
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime())) return undefined;
  const day = dayOf(moment.getTime());
  // JavaScript reads February 30 as March 2.
  return text.length > 10 || text === day ? day : undefined;
}

/** The requested range; by default the last 30 days. */
export function dayRange({ since, until }: Partial<DayRange>, nowMs: number): DayRange {
  const last = until ?? dayOf(nowMs);
  return { since: since ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS), until: last };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
