import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmptyLanguage, testDfa } from '../automata/dfa.ts';
import { toDecimal } from './decimal.ts';
import { multiplesDfa } from './multiples.ts';
import { decimalDfa, excludeNumbers, integerDfa, type NumberBound, type NumberRange } from './number-dfa.ts';

const values = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -99_999, max: 99_999 }).map((value) => value / 1000),
  fc.constantFrom(0, 0.1, -0.001, 1e6, 123_456.789),
);
const bounds = fc.option(fc.record({ value: values, exclusive: fc.boolean() }), { nil: undefined });
const ranges = fc.record({ minimum: bounds, maximum: bounds });

const isAbove = (value: number, bound?: NumberBound) =>
  !bound || (bound.exclusive ? value > bound.value : value >= bound.value);
const isBelow = (value: number, bound?: NumberBound) =>
  !bound || (bound.exclusive ? value < bound.value : value <= bound.value);
const isInside = (value: number, { minimum, maximum }: NumberRange) =>
  isAbove(value, minimum) && isBelow(value, maximum);

describe('the integers of a range', () => {
  it('agree with arithmetic', () => {
    fc.assert(
      fc.property(
        ranges,
        fc.array(fc.integer({ min: -2100, max: 2100 }), { minLength: 20 }),
        (range, samples) => {
          const dfa = integerDfa(range);
          const verdicts = samples.map((value) => [value, testDfa(dfa, String(value))]);
          expect(verdicts).toEqual(samples.map((value) => [value, isInside(value, range)]));
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });

  it('have no leading zeros, signed zero, point or exponent', () => {
    const dfa = integerDfa({});
    for (const text of ['0', '7', '-7', '999999999999999'])
      expect([text, testDfa(dfa, text)]).toEqual([text, true]);
    for (const text of ['', '-', '00', '01', '-0', '1.0', '1e3', '+1']) {
      expect([text, testDfa(dfa, text)]).toEqual([text, false]);
    }
  });

  it('are none if the bounds cross', () => {
    const range = { minimum: { value: 1, exclusive: true }, maximum: { value: 2, exclusive: true } };
    expect(isEmptyLanguage(integerDfa(range))).toBe(true);
  });

  it('have more than fifteen digits if a bound does', () => {
    const dfa = integerDfa({ minimum: { value: 1e20, exclusive: false } });
    expect(testDfa(dfa, '100000000000000000000')).toBe(true);
    expect(testDfa(dfa, '99999999999999999999')).toBe(false);
  });
});

describe('the decimals of a range', () => {
  it('agree with arithmetic for any number of digits', () => {
    const near = fc
      .tuple(values, fc.constantFrom(0, 1, -1, 0.1, -0.1, 0.001, -0.001))
      .map(([value, step]) => value + step);
    const texts = fc.oneof(values, near).map((value) => value.toFixed(3));
    fc.assert(
      fc.property(ranges, fc.array(texts, { minLength: 20 }), (range, samples) => {
        const dfa = decimalDfa(range);
        const spelled = samples.flatMap((sample) => [sample, `${sample}0`, String(Number(sample))]);
        const verdicts = spelled.map((text) => [text, testDfa(dfa, text)]);
        expect(verdicts).toEqual(spelled.map((text) => [text, isInside(Number(text), range)]));
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it('never round to an exclusive bound', () => {
    const dfa = decimalDfa({ maximum: { value: 1_000_000, exclusive: true } });
    expect(testDfa(dfa, '999999.99999999')).toBe(true);
    expect(testDfa(dfa, '999999.9999999999999')).toBe(false);
    expect(testDfa(dfa, '1000000')).toBe(false);
  });

  it('exclude a number in all spellings', () => {
    const dfa = excludeNumbers(decimalDfa({}), [1, -2.5]);
    for (const text of ['1', '1.0', '1.000', '-2.5', '-2.50'])
      expect([text, testDfa(dfa, text)]).toEqual([text, false]);
    for (const text of ['1.1', '10', '-1', '2.5']) expect([text, testDfa(dfa, text)]).toEqual([text, true]);
  });
});

describe('the multiples of a number', () => {
  it('agree with arithmetic', () => {
    const divisors = fc.constantFrom(1, 2, 3, 7, 10, 25, 0.5, 0.1, 0.01, 0.25, 1.5);
    fc.assert(
      fc.property(
        divisors,
        fc.integer({ min: -5000, max: 5000 }),
        fc.constantFrom(0, 1, 2),
        (divisor, units, places) => {
          const scale = 10 ** places;
          const isMultiple = (units * 10_000) % Math.round(divisor * 10_000 * scale) === 0;
          expect(testDfa(multiplesDfa(divisor), (units / scale).toFixed(places))).toBe(isMultiple);
        },
      ),
      { numRuns: 500, seed: 3 },
    );
  });
});

describe('the digits of a number', () => {
  it.each([
    [0, '0', ''],
    [12.5, '12', '5'],
    [-1e21, '1000000000000000000000', ''],
    [1.5e-7, '0', '00000015'],
    [1.25e22, '12500000000000000000000', ''],
    [100, '100', ''],
  ])('of %d have no exponent', (value, integer, fraction) => {
    expect(toDecimal(value)).toEqual({ integer, fraction });
  });
});
