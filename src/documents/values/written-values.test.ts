import { describe, expect, it } from 'vitest';
import { findDates } from './find-dates.ts';
import { findNumbers } from './find-numbers.ts';
import { parseNumber } from './parse-number.ts';

describe('a written number', () => {
  it.each([
    ['1,200.50', 1200.5],
    ['1.200,50', 1200.5],
    ['1 200,00', 1200],
    ['52,000', 52_000],
    ['84.200', 84_200],
    ["1'250.75", 1250.75],
    ['8,5', 8.5],
    ['0.18', 0.18],
    ['-12', -12],
    ['−3,5', -3.5],
  ])('%s is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['', 'a', '12a', '.', '--1'])('is none: %j', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  it('is found beside signs and units, but not in names, times and codes', () => {
    const text = 'M12 4x40 INV-2024 14:32 £372.60 12kg 19 % 1 416,00 € (30) 20-11-33 v1.2.3';
    expect(findNumbers(text).map(({ value }) => value)).toEqual([372.6, 12, 19, 1416, 30]);
  });
});

describe('a written date', () => {
  it.each([
    ['2024-03-12', '2024-03-12'],
    ['12/03/2024', '2024-03-12'],
    ['12.3.24', '2024-03-12'],
    ['12 March 2024', '2024-03-12'],
    ['March 12, 2024', '2024-03-12'],
    ['12th of Mar. 2024', '2024-03-12'],
    ['8. April 1994', '1994-04-08'],
    ['1. März 2024', '2024-03-01'],
    ['3 septembre 2024', '2024-09-03'],
    ['1er août 2024', '2024-08-01'],
    ['21 de junio de 2024', '2024-06-21'],
    ['5 maggio 2023', '2023-05-05'],
    ['7 de fevereiro de 2023', '2023-02-07'],
    ['01.01.75', '1975-01-01'],
  ])('%s is %s', (text, value) => {
    expect(findDates(`on ${text}.`).map((date) => date.value)).toEqual([value]);
  });

  it('is read month first if another date can only be read that way', () => {
    expect(findDates('03/04/2024 and 03/25/2024').map(({ value }) => value)).toEqual([
      '2024-03-04',
      '2024-03-25',
    ]);
  });

  it.each(['31.02.2024', '12 Bananas 2024', '1.2.3.4', '99/99/2024'])('is none: %s', (text) => {
    expect(findDates(text)).toEqual([]);
  });
});
