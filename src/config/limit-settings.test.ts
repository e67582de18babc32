import { describe, expect, it, test } from 'vitest';
import { limitsByFileNames, parseLimitSetting, withLimitSettings } from './limit-settings.ts';

const none = { extraction: {}, pdf: {}, images: {} };

describe('a limit setting', () => {
  test.each([
    ['extraction.pages=100', ['extraction.pages', 100]],
    ['requests_per_minute=60', ['requests_per_minute', 60]],
    ['requests_per_minute=null', ['requests_per_minute', null]],
    ['requests_per_minute=', ['requests_per_minute', undefined]],
    ['extraction.pages=null', ['extraction.pages', undefined]],
  ])('%s is read', (text, setting) => {
    expect(parseLimitSetting(text)).toEqual(setting);
  });

  test.each([
    ['pages', 'expected name=value, for example extraction.pages=100'],
    ['=5', 'expected name=value, for example extraction.pages=100'],
    ['request_per_minute=5', 'request_per_minute: unknown key, did you mean "requests_per_minute"?'],
    ['extraction.pagse=', 'extraction.pagse: unknown key, did you mean "pages"?'],
    [
      'colour=5',
      'colour: unknown key; known here: tokens_per_day, requests_per_minute, concurrent_requests, context_window, storage_bytes, extraction, pdf, images',
    ],
    ['extraction=null', 'extraction: expected a mapping, got a number'],
    ['extraction.pages.more=1', 'extraction.pages: expected a whole number of at least 1, got a mapping'],
    ['requests_per_minute=0', 'requests_per_minute: expected a whole number of at least 1, or null, got 0'],
    ['extraction.pages=1.5', 'extraction.pages: expected a whole number of at least 1, got 1.5'],
    ['extraction.pages=-1', 'extraction.pages: expected a whole number of at least 1, got -1'],
    ['extraction.pages=many', 'extraction.pages: expected a whole number of at least 1, got "many"'],
    ['__proto__.x=1', expect.stringContaining('unknown key')],
  ])('%s is refused', (text, message) => {
    expect(() => parseLimitSetting(text)).toThrow(expect.objectContaining({ message }));
  });

  it('changes one limit and leaves the others', () => {
    const before = { tokensPerDay: 5, extraction: { pages: 7, files: 2 }, pdf: {}, images: {} };
    const settings = new Map([
      ['extraction.pages', 9],
      ['extraction.files', undefined],
      ['requests_per_minute', null],
      ['images.queue_wait_seconds', 3],
    ]);
    const after = withLimitSettings(before, settings);
    expect(after).toEqual({
      tokensPerDay: 5,
      requestsPerMinute: null,
      extraction: { pages: 9 },
      pdf: {},
      images: { queueWaitSeconds: 3 },
    });
    expect(limitsByFileNames(after)).toEqual({
      tokens_per_day: 5,
      requests_per_minute: null,
      extraction: { pages: 9 },
      images: { queue_wait_seconds: 3 },
    });
    expect(limitsByFileNames(none)).toEqual({});
  });
});
