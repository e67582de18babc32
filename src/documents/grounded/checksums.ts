import { isAbout } from './candidate.ts';
import type { Field } from './schema-plan.ts';

const HOLDS_SCORE = 3;
const FAILS_SCORE = -2;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** VAT numbers of countries whose check digits are known. */
const VAT: Readonly<Record<string, (digits: string) => boolean>> = {
  DE: (digits) => /^\d{9}$/.test(digits) && modulo11And10(digits),
  AT: (digits) => /^U\d{8}$/.test(digits),
  BE: (digits) =>
    /^[01]\d{9}$/.test(digits) && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8)),
  FR: (digits) => /^[A-Z0-9]{2}\d{9}$/.test(digits),
  IT: (digits) => /^\d{11}$/.test(digits) && luhn(digits),
  NL: (digits) => /^\d{9}B\d{2}$/.test(digits),
  PL: (digits) => /^\d{10}$/.test(digits) && weighed(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]),
};

/** A score for a text whose check digits hold or fail; 0 if the field has none. */
export function checksumScore(field: Pick<Field, 'words'>, text: string): number {
  const compact = text.replace(/[\s.-]/g, '').toUpperCase();
  if (isAbout(field, 'iban') && IBAN.test(compact)) return isIban(compact) ? HOLDS_SCORE : FAILS_SCORE;
  if (!isAbout(field, 'taxnumber', 'vat')) return 0;
  const check = VAT[compact.slice(0, 2)];
  return check?.(compact.slice(2)) === true ? HOLDS_SCORE : 0;
}

/** ISO 13616: letters are numbers from 10, the first four characters go to the end, and the rest of 97 is 1. */
function isIban(compact: string): boolean {
  const moved = compact.slice(4) + compact.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** ISO 7064, MOD 11,10: German numbers. */
function modulo11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

function luhn(digits: string): boolean {
  const sum = Array.from(digits).reduceRight((total, digit, index) => {
    const isDoubled = (digits.length - 1 - index) % 2 === 1;
    const value = Number(digit) * (isDoubled ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function weighed(digits: string, weights: readonly number[]): boolean {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return sum % 11 === Number(digits.at(-1));
}
