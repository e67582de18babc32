import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStringScanner, endByBytes } from './string-scanner.ts';

const scanner = createStringScanner();
/** Windows so small that every text goes over their edges. */
const narrow = [1, 2, 7, 16, 17, 33].map((bytes) => createStringScanner(bytes));

/** The first quote that is not escaped, if up to there all is what JSON.stringify writes. */
function expectedEnd(bytes: Buffer): number | undefined {
  let at = 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  const text = bytes.toString('utf8', 0, at + 1);
  try {
    return JSON.stringify(JSON.parse(text)) === text ? at : undefined;
  } catch {
    return undefined;
  }
}

function foundEnd(bytes: Buffer, by = scanner): number | undefined {
  by?.load(bytes);
  const end = by?.endOf(1) ?? -1;
  return end < 0 ? undefined : end;
}

test('a string ends at its first quote that no backslash escapes, wherever in memory that is', () => {
  for (let length = 0; length < 70; length++) {
    expect(foundEnd(Buffer.from(`"${'x'.repeat(length)}","more"`))).toBe(length + 1);
    expect(foundEnd(Buffer.from(`"${'x'.repeat(length)}\\"\\\\y","more"`))).toBe(length + 6);
  }
});

test('a string that does not end, or is not what JSON.stringify writes, has no end', () => {
  // An earlier, longer text must not be seen beyond the end of this one.
  scanner?.load(Buffer.from('"'.repeat(200)));
  for (const text of ['"abc', '"abc\\"', '"abc\\', '"a\nb"', '"a\\u0041b"', '"a\\/b"', '"']) {
    expect(foundEnd(Buffer.from(text)), text).toBeUndefined();
    for (const one of narrow) {
      one?.load(Buffer.from('"'.repeat(200)));
      expect(foundEnd(Buffer.from(text), one), text).toBeUndefined();
    }
  }
});

test('every text ends where JSON.parse ends it', () => {
  const unit = fc.constantFrom(
    'a',
    'ü',
    '短',
    '😀',
    '"',
    '\\',
    '\\n',
    '\\"',
    '\\\\',
    '\\u0041',
    '\n',
    '\x1f',
    ' '.repeat(15),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const bytes = Buffer.from(`"${text}"`);
      const expected = expectedEnd(bytes);
      const ends = [foundEnd(bytes), ...narrow.map((one) => foundEnd(bytes, one))];
      expect([...ends, endByBytes(bytes, 1)]).toEqual([...ends.map(() => expected), expected ?? -1]);
    }),
    { numRuns: 1_500 },
  );
});

test('a string is found wherever it is asked for, forwards and backwards over the edges of windows', () => {
  const text = JSON.stringify(Array.from({ length: 40 }, (_, index) => `${'x'.repeat(index)}"\\`));
  const bytes = Buffer.from(text);
  const begins = [...text.matchAll(/(?<=[[,])"/g)].map(({ index }) => index + 1);
  for (const one of narrow) {
    one?.load(bytes);
    for (const from of [...begins, ...begins.toReversed()])
      expect(one?.endOf(from)).toBe(endByBytes(bytes, from));
    expect(one?.endOf(bytes.length)).toBe(-1);
  }
});

test('a text much longer than a window', () => {
  const bytes = Buffer.alloc(3_000_000, 'x');
  bytes[0] = 0x22;
  expect(foundEnd(bytes)).toBeUndefined();
  bytes[bytes.length - 1] = 0x22;
  expect(foundEnd(bytes)).toBe(bytes.length - 1);
});
