const LOCALE = 'en-GB';
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });

/** 12,345 */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? whole.format(value) : decimals.format(value);
}

/** 12.3k; numbers below ten thousand are written out. */
export function formatShort(value: number): string {
  return Math.abs(value) < 10_000 ? formatNumber(value) : short.format(value);
}

/** 840 ms, 2.4 s, 3 min 12 s */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** 4.2 MB, in powers of ten as the limits of plans are. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 100 ? 1 : 0)} ${units[unit]}`;
}

/** 0.4 %; a rate that is not zero never shows as zero. */
export function formatShare(part: number, of: number): string {
  if (of === 0) return '–';
  const percent = (100 * part) / of;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : Math.round(percent)} %`;
}

/** A word as a label: Model. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Words of the gateway for the middle of a line, as a sentence. */
export function sentence(words: string): string {
  return capitalised(/[.?!]$/.test(words) ? words : `${words}.`);
}

/** The word that goes with a number: 1 key, 2 keys. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** "3 minutes ago", "in 2 days", "just now". */
export function formatAgo(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) < 10) return 'just now';
  const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
    ['second', 60],
    ['minute', 60],
    ['hour', 24],
    ['day', 30],
    ['month', 12],
    ['year', Number.POSITIVE_INFINITY],
  ];
  let value = seconds;
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) {
      return new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' }).format(Math.round(value), unit);
    }
    value /= size;
  }
  return '';
}

/** Local time, as people read it: 18 Nov 2026, 14:05 */
export function formatTime(time: Date, withSeconds = false): string {
  return new Intl.DateTimeFormat(LOCALE, {
    dateStyle: 'medium',
    timeStyle: withSeconds ? 'medium' : 'short',
  }).format(time);
}

/** Only the clock: 14:05:09 */
export function formatClock(time: Date): string {
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' }).format(time);
}

/** The exact time, for the title: 2026-11-18 13:05:09 UTC */
export function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
