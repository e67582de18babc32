import { describe, expect, it } from 'vitest';
import { ApiError, problemText } from '../api/api-error.ts';
import { query } from '../api/client.ts';
import { changesBetween } from './audit-changes.ts';
import { bodyOf, changesOf, EMPTY_KEY, formOf } from './key-form.ts';
import { daysBetween, lastDays } from './usage-days.ts';
import { seriesOf } from './usage-series.ts';

describe('the days of usage', () => {
  it('end today, in UTC', () => {
    expect(lastDays(7, new Date('2026-03-02T23:30:00Z'))).toEqual({
      since: '2026-02-24',
      until: '2026-03-02',
    });
  });

  it('have a place for every day, also without use', () => {
    expect(daysBetween('2026-02-27', '2026-03-02')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(daysBetween('2026-03-02', '2026-02-27')).toEqual([]);
    expect(daysBetween('', '2026-02-27')).toEqual([]);
  });
});

it('draws what was answered, refused and failed, and nothing for days without use', () => {
  const errors = { client: 2, limit: 1, server: 4, gone: 9 };
  const sums = { requests: 10, errors, prompt_tokens: 0, completion_tokens: 0 };
  const day = { ...sums, total_tokens: 0, pages: 0, images: 0, pdf_pages: 0 };
  expect(seriesOf([undefined, day], 'requests').map(({ name, values }) => [name, values])).toEqual([
    ['Answered', [0, 3]],
    ['Refused', [0, 3]],
    ['Failed', [0, 4]],
  ]);
});

it('writes a key as its form shows it', () => {
  const form = {
    prompt: 'a fox',
    retrieval: true,
    knowledge: 'read',
    expires: '2027-01-31',
    requestsPerMinute: 30,
    concurrentRequests: null,
  } as const;
  for (const shown of [form, EMPTY_KEY]) {
    const key = { ...bodyOf(shown), id: 'web', stack: 'shop', state: 'active', revoked_at: null } as const;
    const declared = { declared: false, editable: true, not_editable_because: null, created_at: '' };
    expect(formOf({ ...key, ...declared })).toEqual(shown);
  }
});

it('changes of a key only what its form changed', () => {
  const key = {
    id: 'web',
    stack: 'shop',
    state: 'active',
    revoked_at: null,
    declared: false,
    editable: true,
    not_editable_because: null,
    created_at: '',
    prompt: null,
    retrieval: false,
    knowledge: null,
    expires_at: '2027-01-31T15:30:00.000Z',
    limits: { requests_per_minute: 30 },
  } as const;
  const form = formOf(key);
  expect(changesOf(key, form)).toEqual({});
  expect(changesOf(key, { ...form, retrieval: true })).toEqual({ retrieval: true });
  expect(changesOf(key, { ...form, expires: '' })).toEqual({ expires_at: null });
});

describe('the changes of an audit row', () => {
  it('are the members that differ', () => {
    const before = { plan: 'go', limits: { tokens_per_day: 1, pages: 2 }, models: ['a'] };
    const after = { plan: 'pro', limits: { tokens_per_day: 1, pages: 3 }, models: ['a'], paused: true };
    expect(changesBetween(before, after)).toEqual([
      { name: 'plan', before: '"go"', after: '"pro"' },
      { name: 'limits.pages', before: '2', after: '3' },
      { name: 'paused', before: '–', after: 'true' },
    ]);
    expect(changesBetween(null, null)).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is shown in the words of the gateway, in every family', () => {
    expect(problemText(new ApiError(409, { detail: 'Declared in stackgate.yaml.' }))).toBe(
      'Declared in stackgate.yaml.',
    );
    expect(problemText(new ApiError(429, { error: { message: 'Too many.', code: 'queue_full' } }))).toBe(
      'Too many. (queue_full)',
    );
    const forPrograms = { detail: 'The object was changed since you read it: read it again.' };
    expect(problemText(new ApiError(412, forPrograms))).toContain('Someone else has changed it meanwhile');
    expect(problemText(new TypeError('fetch failed'))).toContain('cannot be reached');
  });
});

it('asks only for what is set', () => {
  expect(query({ stack: 'a b', key: '', cursor: undefined, limit: 5 })).toBe('?stack=a+b&limit=5');
  expect(query({ stack: '' })).toBe('');
});
