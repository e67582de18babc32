import { expect, it } from 'vitest';
import { fieldWords } from '../words/label-words.ts';
import { checksumScore } from './checksums.ts';

const iban = { words: fieldWords('iban', '') };
const vat = { words: fieldWords('vat_number', '') };

it.each([
  ['an IBAN', iban, 'DE89 3704 0044 0532 0130 00', 3],
  ['an IBAN with a digit wrong', iban, 'DE89 3704 0044 0532 0130 01', -2],
  ['something else', iban, 'Sparkasse', 0],
  ['a German VAT number', vat, 'DE136695976', 3],
  ['one with a digit wrong', vat, 'DE136695977', 0],
  ['an Italian one', vat, 'IT00743110157', 3],
  ['a Belgian one', vat, 'BE 0428.759.497', 3],
  ['a Polish one', vat, 'PL8567346215', 3],
])('knows %s by its check digits', (_, field, text, score) => {
  expect(checksumScore(field, text)).toBe(score);
});
