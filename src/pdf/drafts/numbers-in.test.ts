import { expect, it } from 'vitest';
import { numbersIn, saidNumbersIn } from './numbers-in.ts';

it.each([
  ['1,310.00 euros', ['1310']],
  ["1'310 or 1.310 or 1310", ['1310', '1310', '1310']],
  ['4.50, 12,5 and 0.75', ['4.5', '12.5', '0.75']],
  ['from 9:00 to 11:30', ['9:00', '11:30']],
  ['room 004 and invoice 100', ['004', '100']],
  ['Monday 6-14, 3 rolls.', ['6', '14', '3']],
  ['2.5.2025', ['2.5.2025']],
])('finds in %j %j', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

it('takes small numbers in words as said', () => {
  expect([...saidNumbersIn('Seven hours, 2 servers, someone')]).toEqual(['2', '7']);
});

it('reads a long row of digits at once', () => {
  expect(numbersIn(`1.${'0'.repeat(30_000)}1`)).toHaveLength(1);
});
