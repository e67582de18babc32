import { expect, it } from 'vitest';
import { areCognates, cognateIn } from './cognates.ts';

it.each([
  ['technician', 'technicien', true],
  ['presides', 'president', true],
  ['contract', 'concert', false],
  ['order', 'ordered', false],
])('%s and %s are the same word: %s', (one, other, expected) => {
  expect(areCognates(one, other)).toBe(expected);
});

it('finds the known word that begins most like another', () => {
  const known = ['invoice', 'laboratoire', 'laboratory', 'zone'];
  expect(cognateIn(known, 'laboratorio')).toBe('laboratory');
  expect(cognateIn(known, 'laboratoires')).toBe('laboratoire');
  expect(cognateIn(known, 'labour')).toBeUndefined();
  expect(cognateIn(known, '')).toBeUndefined();
});
