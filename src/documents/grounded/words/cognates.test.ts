import { expect, it } from 'vitest';
import { areCognates, Cognates } from './cognates.ts';

it.each([
  ['technician', 'technicien', true],
  ['presides', 'president', true],
  ['contract', 'concert', false],
  ['order', 'ordered', false],
])('%s and %s are the same word: %s', (one, other, expected) => {
  expect(areCognates(one, other)).toBe(expected);
});

it('finds the known word that begins most like another', () => {
  const known = new Cognates(['laboratory', 'invoice', 'laboratoire', 'zone']);
  expect(known.cognateOf('laboratorio')).toBe('laboratory');
  expect(known.cognateOf('laboratoires')).toBe('laboratoire');
  expect(known.cognateOf('labour')).toBeUndefined();
  expect(known.cognateOf('')).toBeUndefined();
});
