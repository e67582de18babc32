/** The sign before decimals. */
export type DecimalSign = '.' | ',';

// Two decimals after whole groups: an amount, and no date, time or version.
const AMOUNT = /(?<![\d.,])\d{1,3}(?:[ .,'’\u00a0\u202f]?\d{3})*([.,])\d{2}(?![\d.,]\d|\d)/g;

/** The decimal sign that most amounts of a text have; undefined if none or both do. */
export function decimalSignOf(text: string): DecimalSign | undefined {
  const signs = Array.from(text.matchAll(AMOUNT), ([, sign]) => sign);
  const points = signs.filter((sign) => sign === '.').length;
  const commas = signs.length - points;
  // One amount in ten may be misread.
  if (points > 9 * commas) return '.';
  return commas > 9 * points ? ',' : undefined;
}
