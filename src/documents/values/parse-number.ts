import type { DecimalSign } from './decimal-sign.ts';

const THOUSANDS = /^-?[1-9]\d{0,2}([.,'])\d{3}(?:\1\d{3})*$/;

/**
 * Parses a number with either decimal separator: 1,200.50, 1.200,50 and 1 200,00. In 1.200 the document's decimal sign decides; if
 * it is unknown, three digits are thousands.
 */
export function parseNumber(text: string, decimalSign?: DecimalSign): number | undefined {
  const compact = text
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/^[−–]/, '-')
    .replaceAll('’', "'");
  if (!/^-?\d[\d.,']*$/.test(compact)) return undefined;
  const value = Number(withPoint(compact.replace(/[.,]$/, ''), decimalSign));
  return Number.isFinite(value) ? value : undefined;
}

function withPoint(text: string, decimalSign: DecimalSign | undefined): string {
  const separator = THOUSANDS.exec(text)?.[1];
  // One group alone may be decimals; two are thousands.
  const isDecimal = separator === decimalSign && text.split(separator ?? '').length === 2;
  if (separator !== undefined && !isDecimal) return text.replace(/[.,']/g, '');
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  const decimal = Math.max(comma, point);
  if (decimal < 0) return text.replaceAll("'", '');
  return `${text.slice(0, decimal).replace(/[.,']/g, '')}.${text.slice(decimal + 1)}`;
}
