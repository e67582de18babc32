import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counted,
  formatAgo,
  formatBytes,
  formatDuration,
  formatShare,
  formatShort,
  formatUtc,
  sentence,
} from './format.ts';
import { jsonPieces } from './json-pieces.ts';

describe('numbers', () => {
  it.each([
    [formatShort(9999), '9,999'],
    [formatShort(41_200).toLowerCase(), '41.2k'],
    [formatDuration(3), '3 ms'],
    [formatDuration(2450), '2.45 s'],
    [formatDuration(192_000), '3 min 12 s'],
    [formatBytes(999), '999 B'],
    [formatBytes(1_204_331), '1.2 MB'],
    [formatShare(1, 5000), '< 0.1 %'],
    [formatShare(0, 5000), '0 %'],
    [formatShare(3, 0), '–'],
    [counted(1, 'key'), '1 key'],
    [counted(0, 'key'), '0 keys'],
    [sentence('stack "a" is declared'), 'Stack "a" is declared.'],
    [sentence('Is it?'), 'Is it?'],
  ])('are written as people read them: %s', (written, expected) => expect(written).toBe(expected));
});

describe('times', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  it.each([
    ['2026-11-18T11:59:58Z', 'just now'],
    ['2026-11-18T11:57:00Z', '3 minutes ago'],
    ['2026-11-16T12:00:00Z', '2 days ago'],
    ['2026-11-18T14:00:00Z', 'in 2 hours'],
  ])('are told from now: %s', (time, expected) => expect(formatAgo(new Date(time), now)).toBe(expected));

  it('are exact in UTC', () => {
    expect(formatUtc(now)).toBe('2026-11-18 12:00:00 UTC');
  });
});

describe('colours of JSON', () => {
  it('lose no character', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const pieces = jsonPieces(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(new Set(pieces.map(({ at }) => at)).size).toBe(pieces.length);
      }),
      { numRuns: 100 },
    );
  });

  it('tell names from texts', () => {
    expect(
      jsonPieces('{"a": "b", "c": 1.5, "d": null}').flatMap(({ kind, text }) =>
        kind === 'rest' ? [] : [`${kind} ${text}`],
      ),
    ).toEqual(['key "a"', 'text "b"', 'key "c"', 'number 1.5', 'key "d"', 'word null']);
  });
});
