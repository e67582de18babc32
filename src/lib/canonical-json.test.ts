import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CanonicalJson, NotCanonical } from './canonical-json.ts';

function isCanonical(text: string): boolean {
  const json = new CanonicalJson(Buffer.from(text));
  try {
    json.value();
    return json.isAtEnd;
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}

/** JSON.stringify(JSON.parse(text)); undefined if it is invalid. */
function rewritten(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

describe('canonical JSON', () => {
  test('accepts only what JSON.stringify would write', () => {
    const letters = fc.constantFrom(
      ...'{}[]:,"\\/bu01aé \n-.eE+',
      'true',
      'null',
      '"a"',
      '\\n',
      '0.5',
      '1e3',
    );
    const texts = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(texts, fc.json()), (text) => {
        if (isCanonical(text)) expect(rewritten(text)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  test('accepts most of what JSON.stringify writes', () => {
    const usual = {
      type: 'object',
      properties: { id: { type: 'string', description: 'größer "x"\n' }, n: { maximum: -1.5, minimum: 0 } },
      required: ['id'],
      additionalProperties: false,
      default: null,
    };
    expect(isCanonical(JSON.stringify(usual))).toBe(true);
    for (const text of ['0', '-7', '123456789012345', '1e+21', '""', '[]', '{}', '[[],{}]']) {
      expect(isCanonical(text)).toBe(true);
    }
  });

  test.each([
    '{"a":1,"a":2}',
    '{"1":1}',
    '{"__proto__":1}',
    '[1, 2]',
    '"\\u0041"',
    '"\\/"',
    '1.0',
    '-0',
    '01',
    '"\n"',
    '"abc\u0001def"',
    '"open',
    '{"a":1,}',
    '[1,]',
    '',
  ])('is not %j', (text) => {
    expect(isCanonical(text)).toBe(false);
  });

  test('is the same wherever the bytes lie', () => {
    const text = JSON.stringify({ text: 'a"b\\c\tgrößer and much longer than a word' });
    for (let offset = 0; offset < 8; offset += 1) {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).subarray(offset);
      const json = new CanonicalJson(bytes);
      json.value();
      expect(json.isAtEnd).toBe(true);
    }
  });

  test('can be read concurrently, and beyond one scan window', () => {
    const json = new CanonicalJson(Buffer.from('["first","second"]'));
    json.take('["first",');
    const long = new CanonicalJson(Buffer.from(JSON.stringify(['x'.repeat(3_000_000), 'a"b'])));
    long.value();
    expect(long.isAtEnd).toBe(true);
    expect(isCanonical(`["${'x'.repeat(3_000_000)}\\u0041"]`)).toBe(false);
    expect(isCanonical('["a text that is longer than the others"]')).toBe(true);
    expect(json.string()).toBe('second'.length);
    json.take(']');
    expect(json.isAtEnd).toBe(true);
  });

  test('nests to a bound', () => {
    expect(isCanonical('['.repeat(300) + ']'.repeat(300))).toBe(false);
    expect(isCanonical(`[${Array.from({ length: 100_000 }, () => '1').join()}]`)).toBe(false);
  });
});
