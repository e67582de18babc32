import { InvalidArgumentError } from 'commander';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a duration such as `90s`, `15m`, `24h`, `7d` or `0` to seconds. */
export function durationSeconds(text: string): number {
  if (text === '0') return 0;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN);
  if (!Number.isFinite(seconds))
    throw new InvalidArgumentError('It is a number and a unit: 90s, 15m, 24h, 7d, or 0.');
  return seconds;
}
