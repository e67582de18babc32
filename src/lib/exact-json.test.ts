import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exact-json.ts';

/** The result of `JSON.parse` with bigints for integers written as such. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIntegers(member)]));
}

const names = fc.oneof(fc.string(), fc.constantFrom('seed', '12345678901234567890', '"', '\\', '\\"', '}'));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    names,
    fc.maxSafeInteger(),
    fc.constantFrom(null, true, 0.5, -1.25, 1e300),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('parseExactJson', () => {
  it.each([0n, 1n, 9007199254740993n, 18446744073709551615n, -18446744073709551615n, 10n ** 40n])(
    'keeps every digit of %s',
    (integer) => {
      expect(parseExactJson(`{"seed": ${integer}}`)).toEqual({ seed: integer });
    },
  );

  it('tells an integer from a number that happens to be whole', () => {
    expect(parseExactJson('[4, 4.0, 4e0, 40E-1, -0, -7, 0.5]')).toEqual([4n, 4, 4, 4, 0n, -7n, 0.5]);
  });

  it('parses an integer with too many digits as a number', () => {
    expect(parseExactJson('9'.repeat(401))).toBe(Number.POSITIVE_INFINITY);
    expect(parseExactJson('9'.repeat(400))).toBe(10n ** 400n - 1n);
  });

  it('leaves digits in texts alone', () => {
    const text = '{"a": "12345678901234567890", "12345678901234567890": "\\"1\\\\", "b": "\\\\\\"2"}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('gives what JSON.parse gives, but for the integers', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        expect(parseExactJson(text)).toEqual(withIntegers(JSON.parse(text)));
      }),
    );
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '12',
      '012',
      '1.',
      '-',
      '1e',
      ' ',
      '\\',
      '"\\',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const parses = (parse: (text: string) => unknown) => {
          try {
            parse(text);
            return true;
          } catch {
            return false;
          }
        };
        expect([text, parses(parseExactJson)]).toEqual([text, parses(JSON.parse)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '{"a": 12345678901234567890',
    '{12345678901234567890: 1}',
    '[01234567890123456789]',
    '"1234567890123456',
  ])('says of %s what JSON.parse says', (text) => {
    const messageOf = (parse: (text: string) => unknown) => {
      try {
        return parse(text);
      } catch (error) {
        return error instanceof SyntaxError ? error.message : error;
      }
    };
    expect(messageOf(parseExactJson)).toBe(messageOf(JSON.parse));
  });
});
