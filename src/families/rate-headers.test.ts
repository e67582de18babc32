import { describe, expect, it, vi } from 'vitest';
import { listedHeaders } from '../lib/header-lines.ts';
import { RateHeaders } from './rate-headers.ts';

const headers = new RateHeaders();

const requests = { limit: 60, remaining: 59, resetsInMs: 60_000 };
const tokens = { limit: 1_000, remaining: 0, resetsInMs: 3_723_001 };

function asObject(lines: string): Record<string, string | undefined> {
  const list = listedHeaders(lines);
  const names = list.filter((_text, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, list[2 * index + 1]]));
}

describe('the headers of rates', () => {
  it('count down where chat clients read them', () => {
    expect(asObject(headers.write('countdown', { requests, tokens }))).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1h2m4s',
    });
  });

  it.each([
    [0, '0s'],
    [1, '1s'],
    [59_000, '59s'],
    [3_600_000, '1h0m0s'],
  ])('write %i ms as %s', (resetsInMs, text) => {
    const told = asObject(headers.write('countdown', { requests: { ...requests, resetsInMs } }));
    expect(told['x-ratelimit-reset-requests']).toBe(text);
  });

  it('name the moment where messages clients read them', () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 16, 12));
    expect(asObject(headers.write('moment', { requests }))).toEqual({
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '59',
      'anthropic-ratelimit-requests-reset': '2026-11-16T12:01:00Z',
    });
    vi.restoreAllMocks();
  });

  it('follow every change of limit, rest and time', () => {
    const tell = (change: Partial<typeof requests>) =>
      headers.write('countdown', { requests: { ...requests, ...change } });
    const first = tell({});
    expect(tell({ limit: 61 })).toBe(first.replace(': 60', ': 61'));
    expect(tell({ remaining: 7 })).toBe(first.replace(': 59', ': 7'));
    expect(tell({ resetsInMs: 2_000 })).toBe(first.replace('1m0s', '2s'));
    expect(tell({})).toBe(first);
  });

  it('are none where there is no ceiling', () => {
    expect([headers.write('countdown', {}), headers.write('moment', {})]).toEqual(['', '']);
  });
});
