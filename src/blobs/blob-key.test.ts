import { isAbsolute, normalize } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../testing/fuzz/any-character.ts';
import {
  isBlobKey,
  MAXIMUM_KEY_LENGTH,
  MAXIMUM_SEGMENT_LENGTH,
  parseBlobKey,
  parseKeyPrefix,
} from './blob-key.ts';

const segment = fc.stringMatching(/^[a-z0-9_-][a-z0-9._-]{0,20}$/);
const keyText = fc.array(segment, { minLength: 1, maxLength: 8 }).map((segments) => segments.join('/'));
// Mostly characters that are dangerous in a path, so that near misses are common.
const nearKey = fc.string({
  unit: fc.constantFrom('a', '0', '.', '..', '/', '\\', '-', '~', '%2e', '\0', '\n', 'A', '+', 'ä'),
  maxLength: 12,
});

describe('parseBlobKey', () => {
  it('returns every well-formed key unchanged', () => {
    fc.assert(fc.property(keyText, (text) => parseBlobKey(text) === text));
  });

  it('accepts nothing that could leave a folder or change when a path is normalised', () => {
    fc.assert(
      fc.property(fc.oneof(nearKey, fc.string({ unit: anyCharacter })), (text) => {
        if (!isBlobKey(text)) {
          expect(() => parseBlobKey(text)).toThrow(RangeError);
          return;
        }
        expect(text).toMatch(/^[a-z0-9._/-]+$/);
        expect(normalize(text)).toBe(text);
        expect(isAbsolute(text)).toBe(false);
        expect(text.split('/').some((part) => part === '' || part.startsWith('.'))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('bounds the length of keys and of segments', () => {
    const longest = 'x'.repeat(MAXIMUM_SEGMENT_LENGTH);
    expect(isBlobKey(`${longest}/${longest}`)).toBe(true);
    expect(isBlobKey(`${longest}x`)).toBe(false);
    expect(isBlobKey('x/'.repeat(MAXIMUM_KEY_LENGTH / 2))).toBe(false);
    expect(isBlobKey(`xy/${'x/'.repeat(MAXIMUM_KEY_LENGTH / 2 - 2)}x`)).toBe(true);
    expect(isBlobKey(`xyz/${'x/'.repeat(MAXIMUM_KEY_LENGTH / 2 - 2)}x`)).toBe(false);
  });

  it('says what a key looks like and shows only the start of a long text', () => {
    expect(() => parseBlobKey(`Ä${'x'.repeat(5_000)}`)).toThrow(/segments of a-z.*got "Äx{79}"$/);
  });
});

describe('parseKeyPrefix', () => {
  it('accepts every start of a key', () => {
    fc.assert(
      fc.property(keyText, fc.nat(60), (text, length) => {
        expect(parseKeyPrefix(text.slice(0, length))).toBe(text.slice(0, length));
      }),
    );
  });

  it('refuses characters that no key has', () => {
    for (const text of ['A', 'a\0', 'a\\b', 'a b', 'x'.repeat(MAXIMUM_KEY_LENGTH + 1)]) {
      expect(() => parseKeyPrefix(text)).toThrow(RangeError);
    }
  });
});
